package acme

import dev.switchboard.execution.ToolExecutor
import dev.switchboard.handler.ToolMethod
import dev.switchboard.handler.Tools
import dev.switchboard.tool.Doc
import dev.switchboard.tool.Range
import dev.switchboard.tool.ToolCall
import java.time.LocalDate

@JvmInline
value class Email(val address: String) {
  init {
    require('@' in address) { "an address has an @" }
  }
}

sealed interface Seat {
  data class Table(val number: Int) : Seat

  data object Bar : Seat
}

data class Booking(
  @Doc("Day") val day: LocalDate,
  @Range(min = 1.0, max = 20.0) val guests: Int = 2,
  val name: String?,
  val email: Email? = null,
  val seat: Seat = Seat.Bar,
  val wishes: List<String> = emptyList(),
)

class Bistro {
  @ToolMethod("Books a table.")
  fun book(booking: Booking, remind: Boolean = true) =
    "$booking, " + if (remind) "with a reminder" else "without a reminder"
}

fun main() {
  val bistro = Tools.of(Bistro())
  println(bistro.first().definition().parameters().text())
  val executor = ToolExecutor.of(bistro)
  for (booking in
    listOf(
      """{"day":"2026-03-14"}""",
      """{"day":"2026-03-14","guests":4,"seat":{"type":"table","number":7}}""",
      """{"guests":40,"email":"ann","wishes":[null]}""",
    )) {
    val result = executor.execute(ToolCall.of("book", """{"booking":$booking}"""))
    println(if (result.success()) result.text() else result.error())
  }
}
