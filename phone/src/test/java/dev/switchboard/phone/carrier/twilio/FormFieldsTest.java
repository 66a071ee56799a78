package dev.switchboard.phone.carrier.twilio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FormFieldsTest {
  @Test
  void hasTheValuesOfEachField() {
    FormFields form = FormFields.parse("From=%2B1555&Name=J%C3%BCrgen+M&a=1&a=2&empty=&q=x%3Dy=z");

    assertThat(form.single("From")).isEqualTo("+1555");
    assertThat(form.single("Name")).isEqualTo("Jürgen M");
    assertThat(form.single("q")).isEqualTo("x=y=z");
    assertThat(form.single("empty")).isEmpty();
    assertThat(form.fields().get("a")).containsExactly("1", "2");
    assertThat(form.single("a")).isNull();
    assertThat(form.single("none")).isNull();
  }

  @Test
  void isNothingElseThanAForm() {
    List<String> others =
        List.of(
            "{\"a\":1}",
            "a",
            "=b",
            "a=b&",
            "&a=b",
            "a=%",
            "a=%4",
            "a=%zz",
            "a=%C3",
            "a=%ff",
            "a=%ED%A0%80",
            "a=ü",
            "a=b c",
            "a=\n",
            "a=%+1");
    for (String body : others) {
      assertThat(FormFields.parse(body)).as(body).isNull();
    }
    String many = IntStream.range(0, 301).mapToObj(i -> "a=b").collect(Collectors.joining("&"));
    assertThat(FormFields.parse(many)).isNull();
    assertThat(FormFields.parse(many.substring(4)).fields().get("a")).hasSize(300);
    assertThat(FormFields.parse("")).isEqualTo(FormFields.EMPTY);
  }
}
