package dev.switchboard.agent;

import dev.switchboard.model.ModelReply.Usage;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What language models cost, by their names, such as `openai:gpt-6-luna`.
///
/// @param models their prices
public record Prices(Map<String, Price> models) {
  /// No price.
  public static final Prices NONE = new Prices(Map.of());

  private static final int MILLION = 6; // as a power of ten

  public Prices {
    models = Map.copyOf(models);
  }

  /// These prices and that of another model.
  public Prices with(String model, Price price) {
    Map<String, Price> more = new HashMap<>(models);
    more.put(model, price);
    return new Prices(more);
  }

  /// The price of a million tokens, in a currency of your choice, the same for all models.
  ///
  /// @param input tokens that are read
  /// @param cached tokens that are read from the provider's cache; null for the price of `input`
  /// @param cacheWrite tokens that are written to it; null for the price of `input`
  /// @param output tokens that are written
  /// @param over the price of longer requests, null for the same
  public record Price(
      BigDecimal input,
      @Nullable BigDecimal cached,
      @Nullable BigDecimal cacheWrite,
      BigDecimal output,
      @Nullable Over over) {
    /// @throws IllegalArgumentException when one is negative
    public Price {
      if (isNegative(input) || isNegative(cached) || isNegative(cacheWrite) || isNegative(output)) {
        throw new IllegalArgumentException("a price must not be negative");
      }
    }

    private static boolean isNegative(@Nullable BigDecimal price) {
      return price != null && price.signum() < 0;
    }

    /// A price without a cache.
    public static Price of(double input, double output) {
      return new Price(BigDecimal.valueOf(input), null, null, BigDecimal.valueOf(output), null);
    }

    BigDecimal cost(Usage usage) {
      Over longer = over;
      if (longer != null && usage.input() > longer.tokens) {
        return longer.price.cost(usage);
      }
      long plain = Math.max(0, usage.input() - usage.cacheRead() - usage.cacheWritten());
      return times(input, plain)
          .add(times(Objects.requireNonNullElse(cached, input), usage.cacheRead()))
          .add(times(Objects.requireNonNullElse(cacheWrite, input), usage.cacheWritten()))
          .add(times(output, usage.output()));
    }

    private static BigDecimal times(BigDecimal price, long tokens) {
      return price.multiply(BigDecimal.valueOf(tokens)).movePointLeft(MILLION);
    }
  }

  /// The price of requests that are longer.
  ///
  /// @param tokens which a request has to exceed
  public record Over(long tokens, Price price) {}

  /// What a request to a model has used.
  ///
  /// @param model its name
  /// @param cost null if it has no price
  public record Use(String model, Usage usage, @Nullable BigDecimal cost) {}

  /// Whether it has a price of that model.
  public boolean has(String model) {
    return models.containsKey(model);
  }

  /// What a request to that model has cost, null if it has no price.
  public @Nullable BigDecimal cost(String model, Usage usage) {
    Price price = models.get(model);
    return price == null ? null : price.cost(usage);
  }
}
