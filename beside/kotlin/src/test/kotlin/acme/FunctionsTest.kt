package acme

import dev.switchboard.handler.Tool
import dev.switchboard.handler.ToolContext
import dev.switchboard.handler.ToolException
import dev.switchboard.handler.ToolMethod
import dev.switchboard.handler.Tools
import dev.switchboard.tool.Default
import java.lang.reflect.Proxy
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

internal class FunctionsTest {
  data class Order(val item: String, val count: Int = 1)

  @JvmInline value class Email(val address: String)

  open class Shop {
    @ToolMethod
    open fun order(order: Order, note: String?, context: ToolContext, wrap: Boolean = true) =
      "$order $note $wrap ${context.attempt()}"

    @ToolMethod fun send(to: Email, copies: List<Email> = listOf()) = "$to $copies"

    @ToolMethod fun address() = Email("us@shop.example")

    @ToolMethod fun label(vararg words: String, last: Int = 3) = "${words.toList()} $last"

    @ToolMethod internal fun count(from: Int = 1) = from

    @ToolMethod @JvmName("javasName") fun named(@Default("9") first: Int = 3, second: Int) = first + second

    @ToolMethod @JvmOverloads fun overloaded(a: Int = 1, b: Int = 2) = a + b

    @ToolMethod fun nothing(item: String) = Unit

    @ToolMethod
    fun refuse(): String = throw ToolException.invalid("/item", "an item that is there")

    @ToolMethod fun tried(count: Int): Result<Order> = runCatching { Order("tea", 12 / count) }

    @ToolMethod
    fun later(item: String): CompletableFuture<Order> = CompletableFuture.completedFuture(Order(item))
  }

  private val shop = Tools.of(Shop())

  @Test
  fun defaultsAndNullableTypesOfParametersAreRespected() {
    assertThat(shop.first { it.name() == "order" }.schema())
      .contains(""""wrap":{"type":"boolean"}""", """"required":["order"]""")
      .doesNotContain("context")
    assertThat(shop.called("order", """{"order":{"item":"tea"}}"""))
      .isEqualTo("Order(item=tea, count=1) null true 1")
    assertThat(shop.called("order", """{"order":{"item":"tea"},"note":"hot","wrap":false}"""))
      .isEqualTo("Order(item=tea, count=1) hot false 1")
    assertThat(shop.called("order", "{}")).contains("/order: expected object, found missing")
  }

  @Test
  fun toolsHaveTheNamesOfTheirFunctions() {
    assertThat(shop.map(Tool::name))
      .containsExactly(
        "address", "count", "label", "later", "named", "nothing", "order", "overloaded", "refuse", "send", "tried",
      )
    assertThat(shop.called("count", "{}")).isEqualTo("1")
    assertThat(shop.called("named", """{"second":1}""")).isEqualTo("10")
    assertThat(shop.called("overloaded", """{"a":5}""")).isEqualTo("7")
  }

  @Test
  fun valueClassesAndVarargsAreParameters() {
    assertThat(shop.called("send", """{"to":"a@b","copies":["c@d"]}"""))
      .isEqualTo("Email(address=a@b) [Email(address=c@d)]")
    assertThat(shop.called("label", "{}")).isEqualTo("[] 3")
    assertThat(shop.called("label", """{"words":["a","b"],"last":4}""")).isEqualTo("[a, b] 4")
  }

  @Test
  fun resultsAreThoseOfAnyHandler() {
    assertThat(shop.called("nothing", """{"item":"tea"}""")).isEqualTo("null")
    assertThat(shop.called("later", """{"item":"tea"}""")).isEqualTo("""{"item":"tea","count":1}""")
    assertThat(shop.called("refuse", "{}")).contains("/item: an item that is there")
    assertThat(shop.called("address", "{}")).isEqualTo("us@shop.example")
    assertThat(shop.called("tried", """{"count":3}""")).isEqualTo("""{"item":"tea","count":4}""")
    assertThat(shop.called("tried", """{"count":0}""")).contains("ArithmeticException")
    val silent = Tool.typed("silent", Order::class.java).handler { _ -> print("") }
    assertThat(silent.called("""{"item":"tea"}""")).isEqualTo("null")
  }

  class Waiting {
    val ended = CountDownLatch(1)

    @ToolMethod
    suspend fun order(item: String, count: Int = 2, context: ToolContext): Order {
      delay(1)
      return Order("$item ${context.attempt()}", count)
    }

    @ToolMethod suspend fun atOnce(to: Email?) = to

    @ToolMethod
    suspend fun refuse(item: String): String {
      yield()
      throw ToolException.invalid("/item", "an item that is there")
    }

    @ToolMethod(timeout = "20ms")
    suspend fun hang() {
      try {
        awaitCancellation()
      } finally {
        ended.countDown()
      }
    }
  }

  @Test
  fun suspendFunctionsAreWaitedFor() {
    val waiting = Tools.of(Waiting())
    assertThat(waiting.first { it.name() == "order" }.schema()).contains(""""required":["item"]""")
    assertThat(waiting.called("order", """{"item":"tea"}""")).isEqualTo("""{"item":"tea 1","count":2}""")
    assertThat(waiting.called("atOnce", """{"to":"a@b"}""")).isEqualTo("a@b")
    assertThat(waiting.called("atOnce", "{}")).isEqualTo("null")
    assertThat(waiting.called("refuse", """{"item":"x"}""")).contains("/item: an item that is there")
  }

  @Test
  fun aSuspendFunctionIsCancelledWhenItsTimeIsUp() {
    val waiting = Waiting()
    assertThat(Tools.of(waiting).called("hang", "{}")).contains("time")
    assertThat(waiting.ended.await(5, TimeUnit.MINUTES)).isTrue()
  }

  object Counter {
    @ToolMethod fun next(from: Int = 1) = from + 1
  }

  class Outer {
    companion object {
      @ToolMethod fun next(from: Int = 1) = from + 1
    }
  }

  @Test
  fun functionsOfObjectsAreTools() {
    assertThat(Tools.of(Counter).called("next", "{}")).isEqualTo("2")
    assertThat(Tools.of(Outer.Companion).called("next", "{}")).isEqualTo("2")
  }

  interface Desk {
    @ToolMethod fun open(day: String, hours: Int = 8): String

    @ToolMethod fun close(day: String = "today"): String = "closed $day"
  }

  class Clinic : Desk {
    override fun open(day: String, hours: Int) = "$day $hours"
  }

  @Test
  fun functionsOfInterfacesKeepTheirDefaults() {
    val clinic = Tools.of(Clinic())
    assertThat(clinic.called("open", """{"day":"Monday"}""")).isEqualTo("Monday 8")
    assertThat(clinic.called("close", "{}")).isEqualTo("closed today")
    val proxy =
      Proxy.newProxyInstance(Desk::class.java.classLoader, arrayOf(Desk::class.java)) { _, _, values ->
        values.toList().toString()
      }
    assertThat(Tools.of(proxy).called("open", """{"day":"Monday"}""")).isEqualTo("[Monday, 8]")
  }

  class Later : Shop() {
    override fun order(order: Order, note: String?, context: ToolContext, wrap: Boolean) =
      "later, $wrap"
  }

  @Test
  fun anOverridingFunctionIsCalledWithTheDefaultsOfTheOverridden() {
    assertThat(Tools.of(Later()).called("order", """{"order":{"item":"tea"}}""")).isEqualTo("later, true")
  }
}
