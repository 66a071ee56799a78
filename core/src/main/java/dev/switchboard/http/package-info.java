/// What every client of HTTP here needs beside OkHttp: cancelling that reaches a stuck request,
/// sockets that no proxy gets, a request to be sent once.
@NullMarked
package dev.switchboard.http;

import org.jspecify.annotations.NullMarked;
