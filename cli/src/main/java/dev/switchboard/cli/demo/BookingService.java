package dev.switchboard.cli.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.switchboard.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/// The booking service of a small restaurant on loopback: it looks up and books tables in memory.
/// Its lookups are slow, the first booking is refused as busy, and its message gateway is down.
final class BookingService implements AutoCloseable {
  private static final List<Table> TABLES =
      List.of(
          new Table("T5", 4, "patio"), new Table("T12", 6, "inside"), new Table("T2", 2, "bar"));
  private static final long LOOK_UP_NANOS = 900_000_000;

  private final HttpServer server;
  private final Map<String, String> bookings = new ConcurrentHashMap<>(); // date time table, guest
  private final Map<String, String> places = new ConcurrentHashMap<>(); // reservation, place
  private final Set<String> seen = ConcurrentHashMap.newKeySet(); // idempotency keys

  private int reservations;

  private record Table(String id, int seats, String location) {}

  private record Free(boolean available, List<Table> tables) {}

  private record Booked(String reservation, String table) {}

  private record Reply(int status, Object body) {}

  private interface Route {
    Reply answer(HttpExchange exchange, JsonNode arguments);
  }

  BookingService() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    serve("/reservations/check", (exchange, arguments) -> check(arguments));
    serve("/reservations/create", this::create);
    serve("/reservations/cancel", (exchange, arguments) -> cancel(arguments));
    serve(
        "/messages/send", (exchange, arguments) -> new Reply(502, Map.of("error", "gateway down")));
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private Reply check(JsonNode arguments) {
    // Slow enough for a reassurance.
    LockSupport.parkNanos(LOOK_UP_NANOS);
    List<Table> free = new ArrayList<>();
    for (Table table : TABLES) {
      boolean fits = table.seats >= arguments.path("party_size").asInt();
      if (fits && !bookings.containsKey(place(arguments, table.id))) {
        free.add(table);
      }
    }
    return new Reply(200, new Free(!free.isEmpty(), free));
  }

  private Reply create(HttpExchange exchange, JsonNode arguments) {
    String key = String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
    if (seen.add(key)) {
      return new Reply(503, Map.of("error", "the book is in use"));
    }
    String table = arguments.path("table").asString();
    String guest = arguments.path("customer_name").asString();
    String place = place(arguments, table);
    String before = bookings.putIfAbsent(place, guest);
    if (before != null && !before.equals(guest)) {
      return new Reply(409, Map.of("error", table + " is taken"));
    }
    return new Reply(201, new Booked(reservation(place), table));
  }

  private synchronized String reservation(String place) {
    for (Map.Entry<String, String> booked : places.entrySet()) {
      if (booked.getValue().equals(place)) {
        return booked.getKey();
      }
    }
    String reservation = "R" + ++reservations;
    places.put(reservation, place);
    return reservation;
  }

  private Reply cancel(JsonNode arguments) {
    String reservation = arguments.path("reservation").asString();
    String place = places.remove(reservation);
    if (place == null) {
      return new Reply(404, Map.of("error", "no reservation " + reservation));
    }
    bookings.remove(place);
    return new Reply(200, Map.of("cancelled", reservation));
  }

  private static String place(JsonNode arguments, String table) {
    return arguments.path("date").asString()
        + ' '
        + arguments.path("time").asString()
        + ' '
        + table;
  }

  private void serve(String path, Route route) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            String body =
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Reply reply = route.answer(exchange, Json.text(body).tree().path("arguments"));
            byte[] answer = Json.of(reply.body).text().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(reply.status, answer.length);
            exchange.getResponseBody().write(answer);
          }
        });
  }
}
