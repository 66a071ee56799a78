package dev.switchboard.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordsTest {
  private static final Instant NOON = Instant.parse("2026-03-14T12:00:00.123456789Z");

  enum Fruit {
    RED_APPLE,
    PEAR
  }

  record Whole(
      int count,
      Fruit fruit,
      Instant at,
      List<String> names,
      Set<String> words,
      Map<String, Inner> inner,
      boolean open,
      @Nullable String note,
      Json value,
      @JsonFormat(shape = JsonFormat.Shape.STRING) Json text,
      @Nullable Json more) {}

  record Inner(long number) {
    Inner {
      if (number < 0) {
        throw new IllegalArgumentException("a number is not negative");
      }
    }

    /// No component, so not written.
    public boolean isBig() {
      return number > 9;
    }
  }

  sealed interface Line {
    record Word(String text) implements Line {}

    sealed interface Deeper extends Line {}

    record Talk(List<Role> roles) implements Deeper {}
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "role")
  sealed interface Role {
    record User(String text) implements Role {}

    record Model(String text) implements Role {}
  }

  private static <T> T reread(Json written, Class<T> type) {
    return Records.read(Json.text(written.text()).tree(), type);
  }

  @Test
  void writesEveryComponentThatHoldsSomething() {
    Whole full =
        new Whole(
            1,
            Fruit.RED_APPLE,
            NOON,
            List.of("a"),
            Set.of("b"),
            Map.of("z", new Inner(3), "y", new Inner(300)),
            true,
            "n",
            Json.text("{\"a\":1.50}"),
            Json.text("{broken"),
            Json.text("7"));
    Json json = Records.write(2, full);

    assertThat(json.text())
        .isEqualTo(
            "{\"v\":2,\"count\":1,\"fruit\":\"red_apple\",\"at\":\"2026-03-14T12:00:00.123456789Z\","
                + "\"names\":[\"a\"],\"words\":[\"b\"],"
                + "\"inner\":{\"y\":{\"number\":300},\"z\":{\"number\":3}},\"open\":true,"
                + "\"note\":\"n\",\"value\":{\"a\":1.50},\"text\":\"{broken\",\"more\":7}");
    assertThat(reread(json, Whole.class)).isEqualTo(full);
  }

  @Test
  void leavesOutWhatHoldsNothing() {
    Whole bare =
        new Whole(
            0,
            Fruit.PEAR,
            NOON,
            List.of(),
            Set.of(),
            Map.of(),
            false,
            null,
            Json.text("null"),
            Json.text(""),
            null);
    Json json = Records.write(bare);

    assertThat(json.text())
        .isEqualTo(
            "{\"count\":0,\"fruit\":\"pear\",\"at\":\"2026-03-14T12:00:00.123456789Z\","
                + "\"open\":false,\"value\":null,\"text\":\"\"}");
    assertThat(reread(json, Whole.class)).isEqualTo(bare);
  }

  @Test
  void tellsTheRecordsOfASealedInterfaceApart() {
    for (Line line :
        List.of(
            new Line.Word("x"), new Line.Talk(List.of(new Role.User("u"), new Role.Model("m"))))) {
      assertThat(reread(Records.write(line), Line.class)).isEqualTo(line);
    }
    assertThat(Records.write(1, NOON, new Line.Talk(List.of(new Role.User("u")))).text())
        .isEqualTo(
            "{\"v\":1,\"at\":\"2026-03-14T12:00:00.123456789Z\",\"type\":\"talk\","
                + "\"roles\":[{\"role\":\"user\",\"text\":\"u\"}]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                       | 'count' is missing
          []                                       | it must be an object
          {"count":"1"}                            | 'count' must be a whole number
          {"count":1.5}                            | 'count' must be a whole number
          {"count":null}                           | 'count' must be a whole number
          {"fruit":"plum"}                         | 'fruit' must be one of red_apple, pear
          {"fruit":0}                              | 'fruit' must be one of red_apple, pear
          {"at":"noon"}                            | 'at' must be a time
          {"names":"a"}                            | 'names' must be a list
          {"names":[1]}                            | 'names[0]' must be a text
          {"inner":[]}                             | 'inner' must be an object
          {"inner":{"a":{"number":-1}}}            | a number is not negative
          {"inner":{"a":{"number":"x"}}}           | 'inner.a.number' must be a whole number
          {"open":"yes"}                           | 'open' must be true or false
          {"note":7}                               | 'note' must be a text
          {"text":{}}                              | 'text' must be a text
          """)
  void saysWhichMemberDoesNotFit(String text, String fault) {
    assertThatThrownBy(() -> Records.read(Json.text(text).tree(), Whole.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(fault);
  }

  @Test
  void refusesATypeThatItDoesNotKnow() {
    assertThatThrownBy(() -> Records.read(Json.text("{\"type\":\"x\"}").tree(), Line.class))
        .hasMessage("'x' is not a type that is known here");
    assertThatThrownBy(() -> Records.read(Json.text("{\"text\":\"x\"}").tree(), Line.class))
        .hasMessage("it has no type");
  }

  @Test
  void readsOneVersionAlone() {
    Json second = Records.write(2, new Inner(1));

    assertThat(Records.read(second, 2, Inner.class)).isEqualTo(new Inner(1));
    assertThatThrownBy(() -> Records.read(second, 1, Inner.class))
        .isInstanceOf(Records.UnreadableException.class)
        .hasMessage("is of version 2, and only version 1 can be read");
    assertThatThrownBy(() -> Records.read(Json.text("{\"v\":2}"), 2, Inner.class))
        .hasMessage("is damaged");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"text\":\"a\"}",
        "{\"text\":\"\\u00e9\",\"more\":[1]}",
        "{\"text\":1}",
        "{}",
        "{\"text\":\"a\",\"text\":\"b\"}",
        "{\"text\":",
        "{\"text\":\"a\"} {}",
        "",
        "{\"text\":\"\\ud83d\"}",
        "{\"text\":\"\ud83d\"}"
      })
  void aRecordIsReadFromItsTextAsFromItsTree(String text) {
    String read = outcome(() -> Records.read(Json.text(text).tree(), Line.Word.class).toString());

    assertThat(outcome(() -> Records.read(Json.text(text), Line.Word.class).toString()))
        .isEqualTo(read);
  }

  private static String outcome(Supplier<String> action) {
    try {
      return action.get();
    } catch (JsonException | IllegalArgumentException e) {
      return e.getClass().getSimpleName() + ": " + e.getMessage();
    }
  }

  @Test
  void nullIsNotARecord() {
    assertThatThrownBy(() -> Records.read(Json.text("null"), Line.Word.class))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
