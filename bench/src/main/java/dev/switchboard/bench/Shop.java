package dev.switchboard.bench;

import dev.langchain4j.agent.tool.Tool;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/// What every contender is asked to do: an order of five fields, one of them nested, is answered
/// with a receipt of eight.
public final class Shop {
  /// The arguments, as a model writes them.
  static final String ARGUMENTS =
      """
      {"customer":"Ada Lovelace","quantity":3,"priority":"EXPRESS",\
      "address":{"street":"12 St James's Square","city":"London","postcode":"SW1Y 4JH","floor":2},\
      "tags":["gift","fragile"]}\
      """;

  /// The orders of many customers, since a conversation in which the same call succeeds again and
  /// again is told so; more than it remembers of these.
  private static final String[] ORDERS = new String[4096];

  static {
    for (int i = 0; i < ORDERS.length; i++) {
      ORDERS[i] = ARGUMENTS.replace("Ada Lovelace", "Ada Lovelace " + i);
    }
  }

  private static final JsonMapper PLAIN = new JsonMapper();

  /// The arguments of the call of that number.
  static String order(int number) {
    return ORDERS[number & (ORDERS.length - 1)];
  }

  /// How soon.
  public enum Priority {
    NORMAL,
    EXPRESS
  }

  /// Where to.
  public record Address(String street, String city, String postcode, int floor) {}

  /// The arguments.
  public record Order(
      String customer, int quantity, Priority priority, Address address, List<String> tags) {}

  /// The answer.
  public record Receipt(
      String number,
      String customer,
      String city,
      int items,
      double total,
      String currency,
      boolean express,
      List<String> notes) {}

  /// The trivial handler, as a function of the record.
  Receipt order(Order order) {
    return order(
        order.customer(), order.quantity(), order.priority(), order.address(), order.tags());
  }

  /// The trivial handler, as a method with a parameter for each member of the arguments.
  @Tool(Contenders.NAME)
  public Receipt order(
      String customer, int quantity, Priority priority, Address address, List<String> tags) {
    return new Receipt(
        "R-2026-0042",
        customer,
        address.city(),
        quantity,
        quantity * 12.5,
        "EUR",
        priority == Priority.EXPRESS,
        tags);
  }

  /// Read, call, write, with plain Jackson and no checks: the least that such a call can cost.
  String orderPlainly(String arguments) {
    return PLAIN.writeValueAsString(order(PLAIN.readValue(arguments, Order.class)));
  }
}
