package acme

import dev.switchboard.execution.ToolExecutor
import dev.switchboard.handler.Tool
import dev.switchboard.handler.Tools
import dev.switchboard.json.Json
import dev.switchboard.tool.ToolCall
import dev.switchboard.tool.ToolSchemaException

/** A tool that answers with its arguments, as Kotlin writes them. */
internal inline fun <reified T : Any> echo(strict: Boolean = false): Tool {
  val builder = Tool.typed("echo", T::class.java)
  return (if (strict) builder.strict() else builder).handler { arguments -> arguments.toString() }
}

internal fun Tool.schema(): String = definition().parameters().text()

internal fun Tool.called(arguments: String): String = listOf(this).called(name(), arguments)

internal fun List<Tool>.called(name: String, arguments: String): String {
  val result = ToolExecutor.of(this).execute(ToolCall.of(name, arguments))
  return (if (result.success()) result.text() else result.error())!!
}

internal fun json(value: Any): String = Json.of(value).text()

internal inline fun <reified T : Any> read(text: String): T = Json.text(text).`as`(T::class.java)

/** Every fault of tools that cannot be made. */
internal fun faults(making: () -> Any): List<String> =
  try {
    listOf("made: ${making()}")
  } catch (refused: ToolSchemaException) {
    refused.faults()
  }

internal fun faultsOfTools(of: Any): List<String> = faults { Tools.of(of) }
