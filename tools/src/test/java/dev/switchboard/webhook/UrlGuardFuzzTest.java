package dev.switchboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.PropertySize;
import java.util.Random;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;

/// Nonsense made of the pieces that URL readers disagree about.
class UrlGuardFuzzTest {
  private static final String[] PIECES = {
    "http:",
    "https:",
    "HTTP://",
    "http://",
    "//",
    "/",
    "\\",
    "?",
    "#",
    "@",
    ":",
    ":80",
    ":443",
    ":0",
    "[",
    "]",
    "[::",
    "::1]",
    "[::ffff:",
    "%",
    "%25",
    "%2e",
    ".",
    "..",
    "\u3002",
    "\uff0e",
    "\uff61",
    "-",
    "_",
    "xn--",
    "xn--bcher-kva",
    "localhost",
    "\u24dbocalhost",
    "internal",
    "example",
    "com",
    "127",
    "0x7f",
    "0177",
    "0",
    "1",
    "8",
    "255",
    "256",
    "2130706433",
    "\uff11\uff12\uff17",
    "\u2460",
    "a",
    "A",
    "\u00fc",
    "\u00df",
    "\u0131",
    "\u212a",
    "\u00ad",
    "\u200d",
    "\u0301",
    "\u202e",
    "\ud83d",
    "\ude00",
    "\ud83d\ude00",
    "\u0000",
    "\t",
    " ",
    "\u00a0",
    "e0",
    "f",
    "fe80",
    "64:ff9b",
    "2002",
    "x"
  };

  @Test
  void neverFailsAndAllowsOnlyWhatItReadsInOneWay() {
    Random random = new Random(20260101);
    int allowed = 0;
    int tries = PropertySize.of(100_000);
    for (int i = 0; i < tries; i++) {
      String url = nonsense(random);
      if (UrlGuard.STRICT.check(url) instanceof UrlGuard.Verdict.Allowed verdict) {
        allowed++;
        check(url, verdict);
      }
    }
    assertThat(allowed).isGreaterThan(tries / 100);
  }

  private static void check(String url, UrlGuard.Verdict.Allowed verdict) {
    CanonicalUrl canonical = CanonicalUrl.read(url);
    HttpUrl client = canonical.toHttpUrl();
    String again = canonical.scheme() + "://" + canonical.hostAndPort() + "/";

    assertThat(client.host()).as(url).isEqualTo(verdict.host()).matches("[a-z0-9._-]+|[0-9a-f:]+");
    assertThat(client.port()).as(url).isEqualTo(verdict.port());
    assertThat(UrlGuard.STRICT.check(again)).as(url).isEqualTo(verdict);
    assertThat(verdict.addresses()).as(url).allMatch(it -> UrlGuard.refusal(it) == null);
    assertThat(verdict.addresses().isEmpty()).as(url).isEqualTo(isName(client.host()));
  }

  private static boolean isName(String host) {
    return !host.contains(":") && !host.matches("[0-9]+(\\.[0-9]+){3}");
  }

  private static String nonsense(Random random) {
    StringBuilder url = new StringBuilder(random.nextInt(10) > 0 ? "http://" : "");
    for (int n = 1 + random.nextInt(6); n > 0; n--) {
      url.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return url.toString();
  }
}
