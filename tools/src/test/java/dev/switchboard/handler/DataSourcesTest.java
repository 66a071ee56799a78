package dev.switchboard.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class DataSourcesTest {
  private final DataSources sources =
      DataSources.of("menu", List.of("soup")).with("greeting", "Hello");

  @Test
  void givesASourceByItsNameAndType() {
    assertThat(sources.get("greeting", String.class)).isEqualTo("Hello");
    assertThat((Object) sources.get("menu", Iterable.class)).isEqualTo(List.of("soup"));
    assertThat(sources.names()).containsExactly("menu", "greeting");
    assertThat(sources.names(CharSequence.class)).containsExactly("greeting");
    assertThat(DataSources.NONE.names()).isEmpty();
  }

  @Test
  void namesTheSourcesThatThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sources.get("menue", List.class))
        .withMessage("there is no data source 'menue', only 'menu', 'greeting'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataSources.NONE.get("menu", List.class))
        .withMessage("there is no data source 'menu', and no other");
  }

  @Test
  void namesTheTypesThatDoNotFit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sources.get("greeting", Integer.class))
        .withMessage("data source 'greeting' is not a java.lang.Integer but a java.lang.String");
  }

  @Test
  void aNameIsTakenOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sources.with("menu", "other"))
        .withMessage("there is already a data source 'menu'");
    assertThat((Object) sources.get("menu", List.class)).isEqualTo(List.of("soup"));
  }
}
