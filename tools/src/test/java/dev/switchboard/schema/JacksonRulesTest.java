package dev.switchboard.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.switchboard.check.Checked;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Doc;
import dev.switchboard.tool.ToolSchemaException;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/// Jackson's annotations on typed tools: followed or refused, never ignored.
class JacksonRulesTest {
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Slot(
      int partySize, @JsonProperty("when") LocalDate startDate, List<Guest> guestList) {}

  @JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
  private record Guest(String firstName) {}

  @Test
  void namesARecordsComponentsByItsStrategy() {
    ParameterSchema schema = ParameterSchema.of("x", Slot.class, false);
    assertThat(schema.json().tree().path("properties").propertyNames())
        .containsExactly("party_size", "when", "guest_list");
    String text =
        "{\"party_size\":2,\"when\":\"2026-03-14\",\"guest_list\":[{\"first-name\":\"Ada\"}]}";
    Slot slot = new Slot(2, LocalDate.of(2026, 3, 14), List.of(new Guest("Ada")));
    assertThat(schema.check(Json.text(text)))
        .isEqualTo(new Checked.Accepted(Json.text(text), slot, List.of()));
    assertThat(Json.of(slot).tree()).isEqualTo(Json.text(text).tree());
    assertThat(schema.check(Json.text("{\"partySize\":2}"))).isInstanceOf(Checked.Refused.class);
  }

  private record Sub(int a) {}

  private record Flat(String op, @JsonUnwrapped Sub sub) {}

  private record Hidden(@JsonIgnore String secret) {}

  private record Two(@JsonAlias("b") String a) {}

  private record Written(@JsonFormat(pattern = "dd.MM.yyyy") LocalDate day) {}

  private record ReadOnly(@JsonProperty(access = JsonProperty.Access.READ_ONLY) String id) {}

  @JsonIgnoreProperties(ignoreUnknown = true)
  private record Open(String a) {}

  private record Made(String a) {
    @JsonCreator
    static Made of(String a) {
      return new Made(a);
    }
  }

  private enum Size {
    BIG;

    @JsonValue
    String word() {
      return "big";
    }
  }

  private record Sized(Size size) {}

  private record Deep(List<Flat> flats) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  private sealed interface Either permits One, Other {}

  private record One() implements Either {}

  private record Other() implements Either {}

  private record Holder(Either either) {}

  @ParameterizedTest
  @ValueSource(
      classes = {
        Flat.class,
        Hidden.class,
        Two.class,
        Written.class,
        ReadOnly.class,
        Open.class,
        Made.class,
        Sized.class,
        Deep.class,
        Holder.class
      })
  void refusesWhatIsNotFollowed(Class<?> type) {
    assertThatThrownBy(() -> ParameterSchema.of("x", type, false))
        .isInstanceOfSatisfying(
            ToolSchemaException.class,
            e ->
                assertThat(e.faults())
                    .allMatch(each -> each.endsWith("which typed tools do not follow.")));
  }

  @Test
  void namesThePlace() {
    assertThatThrownBy(() -> ParameterSchema.of("x", Deep.class, false))
        .hasMessage(
            "tool 'x': `parameters.properties.flats.items.properties.sub` has @JsonUnwrapped, which"
                + " typed tools do not follow.");
  }

  private enum Seat {
    @Doc("by the window")
    WINDOW,
    @JsonProperty("aisle")
    @Doc("near the aisle")
    AISLE,
    ANY
  }

  private record Booking(@Doc("Where to sit") Seat seat, List<Seat> others) {}

  @Test
  void showsWhatConstantsMean() {
    var properties = ParameterSchema.of("x", Booking.class, false).json().tree().path("properties");
    assertThat(properties.path("seat").path("description").stringValue())
        .isEqualTo("Where to sit (WINDOW: by the window; aisle: near the aisle)");
    assertThat(properties.path("others").path("items").path("description").stringValue())
        .isEqualTo("WINDOW: by the window; aisle: near the aisle");
  }
}
