package dev.switchboard.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.consent.Answer;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.mount.Principal;
import dev.switchboard.mount.Role;
import dev.switchboard.text.DerivedId;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Sessions of a process whose conversations another process deletes, cancels and continues.
class SessionsOfOthersTest {
  private static final Principal ADA = Principal.of("ada", Role.TOOLS);
  private static final String CALL = "{\"name\":\"quick\",\"arguments\":{}}";
  private static final String PAY = "{\"name\":\"pay\",\"arguments\":{}}";
  private static final String STATUS =
      "{\"name\":\"approval_status\",\"arguments\":{\"id\":\"%s\"}}";
  private static final Pattern REQUEST = Pattern.compile("has the id '([^']+)'");

  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final InProcessConversations store = new InProcessConversations();
  private Agent here;
  private Agent there;
  private MountedMcp mcp;
  private String session;

  @BeforeEach
  void start() throws Exception {
    here = agent();
    there = agent();
    mcp = new MountedMcp(here, Time.SYSTEM);
    session = mcp.initialize(ADA).headers().get("Mcp-Session-Id");
  }

  @AfterEach
  void stop() {
    mcp.close();
    here.close();
    there.close();
  }

  private Agent agent() {
    return Agent.builder("shop")
        .store(store)
        .tools(
            Tool.dynamic("quick")
                .mode(ToolMode.READ)
                .handler(arguments -> {
                  ran.add("quick");
                  return "done";
                }),
            Tool.dynamic("pay").mode(ToolMode.LOCAL).handler(arguments -> "paid"))
        .build();
  }

  private String inSession(String params) throws Exception {
    return mcp.inSession(ADA, session, "tools/call", params).body();
  }

  @Test
  void beginAnewOnceTheyWereForgotten() throws Exception {
    assertThat(inSession(CALL)).contains("done");
    assertThat(mcp.stateless(ADA, "tools/call", CALL, "quick").body()).contains("done");

    assertThat(there.storedConversations().forget("ada").all()).isTrue();
    assertThat(there.storedConversations().all()).isEmpty();

    // The request has the id of the first, which is forgotten too.
    assertThat(inSession(CALL)).contains("done");
    assertThat(mcp.stateless(ADA, "tools/call", CALL, "quick").body()).contains("done");
    assertThat(ran).hasSize(4);
    assertThat(there.storedConversations().all())
        .allSatisfy(one -> assertThat(one.calls()).isEqualTo(1))
        .hasSize(2);
  }

  @Test
  void tellWhatAnotherProcessHasAnswered() throws Exception {
    for (boolean approved : new boolean[] {true, false}) {
      Matcher pending = REQUEST.matcher(mcp.stateless(ADA, "tools/call", PAY, "pay").body());
      assertThat(pending.find()).isTrue();
      String id = DerivedId.of("mcp", "shop", "ada", "");
      try (Conversation same =
          there.conversation(id, ConversationOptions.NONE.withPrincipal("ada"))) {
        if (approved) {
          var unused = same.answer(pending.group(1), Answer.approveOnce().by("zoe"));
        } else {
          assertThat(same.cancelWaiting("zoe", event -> {})).isNull();
        }
      }

      String status = STATUS.formatted(pending.group(1));
      assertThat(mcp.stateless(ADA, "tools/call", status, "approval_status").body())
          .contains(approved ? "paid" : "it was cancelled");
    }
  }

  @Test
  void keepWhatWaitsWhenAnOperatorCallsMeanwhile() throws Exception {
    Matcher pending = REQUEST.matcher(mcp.stateless(ADA, "tools/call", PAY, "pay").body());
    assertThat(pending.find()).isTrue();
    Principal operator = new Principal("ada", ADA.roles(), "olga");
    assertThat(mcp.stateless(operator, "tools/call", CALL, "quick").body()).contains("done");

    String status = STATUS.formatted(pending.group(1));
    assertThat(mcp.stateless(ADA, "tools/call", status, "approval_status").body())
        .contains("waiting");
  }
}
