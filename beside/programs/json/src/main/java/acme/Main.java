package acme;

import dev.switchboard.json.Json;

/// A program that reads JSON alone.
final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.out.println(Json.text("{\"item\": \"tea\"}").tree().path("item").stringValue());
  }
}
