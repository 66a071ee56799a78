package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubResponses;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `switchboard chat` with files, replies of a form, and models in the place of others.
class ChatRepliesTest {
  private static final String FORM =
      "reply = { type = \"object\", properties = { n = { type = \"integer\" } }, required = [\"n\"]"
          + " }\n";

  @TempDir private Path folder;
  private StubWebhook webhook;
  private StubModel model;

  @BeforeEach
  void start() {
    webhook = StubWebhook.start();
    model = new StubModel();
  }

  @AfterEach
  void stop() {
    webhook.close();
    model.close();
  }

  private String agent(String keys, String more) {
    return ChatToml.of(folder, webhook, model.toml() + "\n" + keys, more);
  }

  private String file(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.write(file, content.getBytes(StandardCharsets.ISO_8859_1));
    return file.toString();
  }

  @Test
  void aReplyOfAFormIsAllThatStandsOnStandardOutput() {
    model.says("Two.").calls("final_reply", "{\"n\":2}");

    Cli cli = Cli.run("chat", agent(FORM, ""), "-m", "How many?");

    assertThat(cli)
        .isEqualTo(
            new Cli(
                0,
                "{\"n\":2}\n",
                "  asked for a reply of the right form (1 of 2): expected a JSON object and nothing"
                    + " else, found other words\n"));
    assertThat(model.requests().getFirst().body()).contains("\"final_reply\"", "required");
  }

  @Test
  void aReplyThatIsNotOfTheFormForTheThirdTimeIsAFailure() {
    model.says("One.").says("Two.").says("Three.");

    Cli cli = Cli.run("chat", agent(FORM, ""), "-m", "How many?");

    assertThat(cli.exit()).isEqualTo(1);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err())
        .endsWith("The language model did not answer in the form that was asked for.\n");
  }

  @Test
  void aRecordedReplyOfAFormIsPlayedBack() {
    String agent = agent(FORM, "");
    String record = folder.resolve("talk.jsonl").toString();
    model.says("Two.").calls("final_reply", "{\"n\":2}");
    Cli recorded = Cli.run("chat", agent, "-m", "How many?", "--record", record);

    assertThat(Cli.run("chat", agent, "-m", "How many?", "--replay", record)).isEqualTo(recorded);
    assertThat(recorded.out()).isEqualTo("{\"n\":2}\n");
  }

  @Test
  void anotherModelIsAskedAndNamed() {
    String keys =
        "fallback = [{ provider = \"openai\", name = \"second\", base_url = \"%s/v1\" }]\n"
            .formatted(webhook.url().replaceFirst("/$", ""));
    webhook.answer(
        200, "{\"choices\":[{\"message\":{\"content\":\"Here.\"},\"finish_reason\":\"stop\"}]}");
    model.answers(StubAnswer.status(503));

    Cli cli = Cli.run("chat", agent(keys, ""), "-m", "Hello");

    assertThat(cli.out()).isEqualTo("Here.\n");
    assertThat(cli.err()).contains("  openai:second is asked instead of openai:", "(unavailable)");
  }

  @Test
  void aFileIsShownWithAMessage() throws IOException {
    model.says("A dot.");

    Cli cli =
        Cli.run("chat", agent("", ""), "-m", "What is it?", "--image", file("dot.gif", "GIF89a"));

    assertThat(cli).isEqualTo(new Cli(0, "A dot.\n", ""));
    assertThat(model.requests().getFirst().body()).contains("data:image/gif;base64,R0lGODlh");
  }

  @Test
  void aFileIsShownWithTheNextSentenceOfAConversation() throws IOException {
    model.says("A dot.").says("Yes.");
    String lines =
        "/attach %s\nWhat is it?\nSure?\n/history\n/attach none.gif\n/attach %s\n"
            .formatted(file("dot.gif", "GIF89a"), file("odd", "\u0000\u0001"));

    Cli cli = Cli.runWith(lines, "chat", agent("", ""));

    assertThat(cli.exit()).isEqualTo(1);
    assertThat(cli.out())
        .contains("A dot.\nYes.\n", "user    What is it? [image/gif, 6 bytes, dot.gif]");
    assertThat(cli.err())
        .contains(
            "With your next sentence: [image/gif, 6 bytes, dot.gif]",
            "Not done: 'none.gif' cannot be read.",
            "Not done: a file of unknown type is not taken: use image/png");
  }

  @Test
  void aStoredFileIsListedAndNeverPrinted() throws IOException {
    model.says("A dot.");
    String agent = agent("", "[storage]\nurl = \"sqlite:agent.db\"");
    Cli unused =
        Cli.run(
            "chat",
            agent,
            "--conversation",
            "c",
            "-m",
            "What is it?",
            "--image",
            file("dot.gif", "GIF89a"));

    assertThat(Cli.run("conversations", "show", "c", agent).out())
        .contains("[image/gif, 6 bytes, dot.gif]")
        .doesNotContain("R0lG");
    assertThat(Cli.run("conversations", "show", "c", agent, "--json").out())
        .contains("\"files\":[{\"type\":\"image/gif\",\"size\":6,\"name\":\"dot.gif\"}]")
        .doesNotContain("R0lG");
  }

  @Test
  void whatCannotBeShownIsAFaultOfUse() throws IOException {
    String agent = agent("", "");

    assertThat(Cli.run("chat", agent, "-m", "x", "--image", "none.png"))
        .isEqualTo(new Cli(2, "", "switchboard: none.png is not taken: there is no such file.\n"));
    assertThat(Cli.run("chat", agent, "-m", "x", "--image", file("odd", "\u0000")).err())
        .contains("is not taken: a file of unknown type is not taken: use image/png");
    assertThat(Cli.run("chat", agent, "--image", file("dot.gif", "GIF89a")))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: --image needs -m; in a conversation, /attach FILE shows a file.\n"));
    assertThat(model.requests()).isEmpty();
  }

  @Test
  void aModelThatCallsToolsOnlyByResponsesDoesSo() throws IOException {
    try (StubResponses server = StubResponses.start()) {
      server.calls("get_rate", "{}").says("It is 1.2.");
      String agent =
          file(
              "clerk.toml",
              """
              [agent]
              name = "Clerk"
              model = { provider = "openai", name = "gpt-5.6-terra", base_url = "%s" }

              [[tools]]
              name = "get_rate"
              description = "The rate."
              command = ["date"]
              mode = "read"
              """
                  .formatted(server.url()));

      Cli cli = Cli.run("chat", agent, "-m", "What is the rate?");

      assertThat(cli.exit()).isZero();
      assertThat(cli.out()).isEqualTo("It is 1.2.\n");
      server.assertDone();
    }
  }
}
