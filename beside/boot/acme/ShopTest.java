package acme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.ToolMethod;
import dev.switchboard.handler.Tools;
import dev.switchboard.tool.ToolCall;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.SpringApplication;

class ShopTest {
  @Test
  void anApplicationOfSpringBootCallsATypedTool() throws Exception {
    try (var boot =
        SpringApplication.run(Shop.class, "--server.address=127.0.0.1", "--server.port=0")) {
      String port = boot.getEnvironment().getProperty("local.server.port");

      assertThat(answer(port, "{\"item\":\"tea\",\"count\":2,\"day\":\"2026-05-01\"}"))
          .contains("{\\\"text\\\":\\\"2 of tea\\\",\\\"lines\\\":[\\\"FRIDAY\\\"]}");
      assertThat(answer(port, "{\"item\":\"tea\",\"count\":2.5,\"day\":\"1 May\"}"))
          .contains("invalid_arguments", "count", "day");
    }
  }

  @Test
  void anApplicationOfSpringBootStreamsATurn() throws Exception {
    try (var boot =
        SpringApplication.run(Shop.class, "--server.address=127.0.0.1", "--server.port=0")) {
      String port = boot.getEnvironment().getProperty("local.server.port");

      assertThat(post(port, "/talk/c", "Hello"))
          .containsSubsequence(
              "data:{\"type\":\"content\",\"content\":\"Good \"}",
              "data:{\"type\":\"content\",\"content\":\"day.\"}");
    }
  }

  /// As [org.springframework.context.annotation.Configuration] and aspects make them.
  static class Counter {
    @ToolMethod("Counts.")
    public int count(String what) {
      return what.length();
    }
  }

  @Test
  void aProxyOfSpringHasTheToolsOfItsClass() {
    ProxyFactory factory = new ProxyFactory(new Counter());
    factory.setProxyTargetClass(true);
    factory.addAdvice((MethodInterceptor) call -> ((int) call.proceed()) * 100);

    assertThat(
            ToolExecutor.of(Tools.of(factory.getProxy()))
                .execute(ToolCall.of("count", "{\"what\":\"abc\"}"))
                .text())
        .isEqualTo("300");
  }

  private static String answer(String port, String order) throws IOException, InterruptedException {
    return post(port, "/order", order);
  }

  private static String post(String port, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, BodyHandlers.ofString()).body();
    }
  }
}
