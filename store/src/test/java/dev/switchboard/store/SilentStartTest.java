package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A database that falls silent while it is opened holds nobody up.
class SilentStartTest {
  private static final int MOST_CHUNKS = 16;

  /// A way to a database on which nothing comes through after that many messages of the client.
  private static final class SilentWay implements AutoCloseable {
    private final ServerSocket here = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final int port;
    private final int chunks;

    SilentWay(int port, int chunks) throws IOException {
      this.port = port;
      this.chunks = chunks;
      Thread unused = Thread.ofVirtual().start(this::accept);
    }

    private void accept() {
      try {
        while (true) {
          Socket client = here.accept();
          Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
          sockets.addAll(List.of(client, server));
          Thread unusedOne = Thread.ofVirtual().start(() -> pump(client, server, chunks));
          Thread unusedTwo =
              Thread.ofVirtual().start(() -> pump(server, client, Integer.MAX_VALUE));
        }
      } catch (IOException e) {
        // It is closed.
      }
    }

    private static void pump(Socket from, Socket to, int most) {
      int left = most;
      byte[] buffer = new byte[65_536];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          if (left-- > 0) {
            out.write(buffer, 0, read);
          }
        }
      } catch (IOException e) {
        // It is closed.
      }
    }

    @Override
    public void close() throws IOException {
      here.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static String opened(String place, int chunks) {
    URI there = URI.create(place);
    try (SilentWay way = new SilentWay(there.getPort(), chunks)) {
      String url =
          place.replace("localhost:" + there.getPort(), "127.0.0.1:" + way.here.getLocalPort());
      try (Storage storage = Storage.shared(url + "&socketTimeout=1", Path.of(""))) {
        var unused = storage.time();
        return "open";
      } catch (StoreException e) {
        return "given up";
      }
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Tag("slow")
  @Test
  void eachStepOfTheStartIsGivenUp() {
    List<CompletableFuture<String>> all = new ArrayList<>();
    for (int i = 0; i < MOST_CHUNKS; i++) {
      int chunks = i;
      String place = PostgresServer.newPlace();
      all.add(
          CompletableFuture.supplyAsync(
              () -> opened(place, chunks),
              task -> {
                Thread unused = Thread.ofVirtual().start(task);
              }));
    }

    List<String> ends = all.stream().map(one -> one.orTimeout(3, TimeUnit.MINUTES).join()).toList();
    assertThat(ends)
        .contains("given up")
        .allMatch(end -> end.equals("given up") || end.equals("open"));
  }
}
