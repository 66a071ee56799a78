package dev.switchboard.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Default;
import dev.switchboard.tool.Range;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedCollection;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Records of every kind of component.
@SuppressWarnings("ArrayRecordComponent")
final class Zoo {
  enum Color {
    RED,
    GREEN,
    @JsonProperty("light-blue")
    LIGHT_BLUE
  }

  record Numbers(
      byte b,
      short s,
      int i,
      long l,
      float f,
      double d,
      Byte bb,
      Short ss,
      Integer ii,
      Long ll,
      Float ff,
      Double dd,
      BigInteger big,
      BigDecimal decimal,
      Year year) {}

  record Texts(
      String text,
      char letter,
      Character other,
      boolean yes,
      Boolean no,
      Color color,
      byte[] bytes,
      char[] secret) {}

  record Times(
      LocalDate date,
      LocalTime time,
      LocalDateTime local,
      Instant instant,
      OffsetDateTime offset,
      ZonedDateTime zoned,
      Duration duration,
      Period period,
      YearMonth month) {}

  record Names(URI uri, UUID uuid) {}

  record Optionals(
      Optional<String> text,
      @Nullable Color color,
      OptionalInt i,
      OptionalLong l,
      OptionalDouble d,
      Optional<List<Integer>> list,
      @Nullable Integer number,
      Optional<LocalDate> date,
      @Nullable Place place) {}

  record Place(@JsonProperty("place_name") String name, @Nullable String zip) {}

  record Defaults(
      @Default("4") int guests,
      @Default("Ada") String name,
      @Default("19:30") LocalTime time,
      @Default("[1,2]") int[] numbers,
      @Default("RED") Color color,
      @Default("{\"place_name\":\"Torino\",\"zip\":null}") Place place,
      @Default("7") OptionalInt seven) {}

  record Collections(
      List<String> list,
      Set<Color> set,
      Collection<Integer> collection,
      SequencedCollection<Long> sequenced,
      String[] array,
      int[] numbers,
      double[][] matrix,
      List<@Nullable String> holes,
      List<Optional<Integer>> optionals,
      List<Place> places) {}

  record Maps(
      @Size(min = 1) Map<String, Integer> counts,
      Map<Color, List<String>> byColor,
      Map<String, @Nullable Place> places,
      Map<String, Object> free) {}

  record Tree(String name, List<Tree> children, @Nullable Tree parent) {}

  sealed interface Figure {
    record Circle(double radius) implements Figure {}

    record Square(int side, Optional<Color> color) implements Figure {}

    @JsonTypeName("all")
    record Group(List<Figure> members) implements Figure {}
  }

  record Drawing(Figure main, Optional<Figure> other, List<Figure> more) {}

  record Page<T>(List<T> items, @Nullable T best) {}

  record Search(Page<String> words, Page<Place> places) {}

  record Anything(Object object, JsonNode node, Json json) {}

  record Constrained(
      @Range(min = 1, max = 20) int guests,
      @Size(min = 2, max = 3) String code,
      @NotBlank String name,
      @Pattern(regexp = "[A-Z]+-\\d+") String number,
      @Email String mail,
      @Positive BigDecimal price,
      @DecimalMin(value = "0.5", inclusive = false) @DecimalMax("10") double weight,
      @Min(3) @Max(100) long many,
      @NotEmpty @Size(max = 2) List<@NotBlank String> tags,
      @Digits(integer = 3, fraction = 1) BigDecimal digits,
      Optional<@Min(5) Integer> more) {}

  record Interval(int from, int to) {
    Interval {
      if (from > to) {
        throw new IllegalArgumentException("from must not be after to");
      }
    }
  }

  record Empty() {}

  record Wide(
      int a0,
      int a1,
      int a2,
      int a3,
      int a4,
      int a5,
      int a6,
      int a7,
      int a8,
      int a9,
      int b0,
      int b1,
      int b2,
      int b3,
      int b4,
      int b5,
      int b6,
      int b7,
      int b8,
      int b9,
      int c0,
      int c1,
      int c2,
      int c3,
      int c4,
      int c5,
      int c6,
      int c7,
      int c8,
      int c9,
      int d0,
      int d1,
      int d2,
      int d3,
      int d4,
      int d5,
      int d6,
      int d7,
      int d8,
      int d9,
      int e0,
      int e1,
      int e2,
      int e3,
      int e4,
      int e5,
      int e6,
      int e7,
      int e8,
      int e9,
      int f0,
      int f1,
      int f2,
      int f3,
      int f4,
      int f5,
      int f6,
      int f7,
      int f8,
      int f9,
      int g0,
      int g1,
      int g2,
      int g3,
      @Nullable Integer g4,
      int g5) {}

  static final List<Class<?>> TYPES =
      List.of(
          Numbers.class,
          Texts.class,
          Times.class,
          Names.class,
          Optionals.class,
          Place.class,
          Defaults.class,
          Collections.class,
          Maps.class,
          Tree.class,
          Figure.class,
          Drawing.class,
          Search.class,
          Anything.class,
          Constrained.class,
          Interval.class,
          Empty.class,
          Wide.class);

  private Zoo() {}
}
