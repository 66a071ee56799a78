package dev.switchboard.provider;

import okhttp3.HttpUrl;

/// The base URL of a service: what it may contain, and how messages show it.
final class BaseUrl {
  private BaseUrl() {}

  /// @throws IllegalArgumentException when the text is none
  static HttpUrl read(String text) {
    HttpUrl url = HttpUrl.parse(text.strip());
    if (url == null) {
      throw new IllegalArgumentException(
          "a model's base_url must begin with http:// or https:// and name a host");
    }
    if (!url.encodedUsername().isEmpty() || !url.encodedPassword().isEmpty()) {
      throw new IllegalArgumentException(
          "a model's base_url must not hold a user or a password; give the key as a key");
    }
    return url.newBuilder().fragment(null).build();
  }

  /// The host, and the port where it is not the usual one.
  static String place(HttpUrl url) {
    boolean usual = url.port() == HttpUrl.defaultPort(url.scheme());
    String host = url.host().contains(":") ? "[" + url.host() + "]" : url.host();
    return usual ? host : host + ":" + url.port();
  }
}
