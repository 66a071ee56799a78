package acme

import dev.switchboard.handler.ToolMethod
import dev.switchboard.json.JsonException
import kotlin.time.Duration
import kotlinx.serialization.SerialName
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test

internal class FaultsTest {
  class Plain(val count: Int)

  abstract class Abstract

  sealed class Mixed {
    class Open(val count: Int) : Mixed()
  }

  data class Holder(
    val plain: Plain,
    val abstract: Abstract,
    val mixed: Mixed,
    val length: Duration,
    val number: UInt,
    val call: () -> Unit,
    val suspending: suspend () -> Unit,
  )

  @Test
  fun classesWithoutAFormAreNamedWithTheRemedy() {
    val own = "acme.FaultsTest"
    assertThat(faults { echo<Holder>() })
      .containsExactly(
        "tool 'echo': `parameters.properties.plain` is the Kotlin class $own\$Plain, which is not a data class: declare it as `data class`.",
        "tool 'echo': `parameters.properties.abstract` is the Kotlin class $own\$Abstract, which is not sealed: make it sealed, and its classes data classes or objects.",
        "tool 'echo': `parameters.properties.mixed` has a kind that is the Kotlin class $own\$Mixed\$Open, which is not a data class: declare it as `data class`.",
        "tool 'echo': `parameters.properties.length` is of the type kotlin.time.Duration, which has no JSON Schema here: use java.time.Duration.",
        "tool 'echo': `parameters.properties.number` is of the type kotlin.UInt, which has no JSON Schema here: use Long with @Range(min = 0.0).",
        "tool 'echo': `parameters.properties.call` is of the type kotlin.jvm.functions.Function0, which has no JSON Schema here.",
        "tool 'echo': `parameters.properties.suspending` is of the type kotlin.Function, which has no JSON Schema here.",
      )
    assertThat(faults { echo<Plain>() }.single())
      .isEqualTo(
        "tool 'echo': `parameters` is the Kotlin class $own\$Plain, which is not a data class: declare it as `data class`."
      )
  }

  @ConsistentCopyVisibility data class Closed private constructor(val count: Int)

  data class Late(val count: Int) {
    lateinit var name: String
  }

  @JvmInline value class Maybe(val text: String?)

  @JvmInline value class Word(val text: String)

  data class HoldsMaybe(val maybe: Maybe)

  @Test
  fun classesThatNoCallCanFillAreNamedWithTheRemedy() {
    assertThat(faults { echo<Closed>() }.single())
      .endsWith("Closed with a private constructor: make that public or internal.")
    assertThat(faults { echo<Late>() }.single())
      .endsWith(
        "Late with the lateinit property 'name', which no call sets: make it a parameter of the constructor."
      )
    assertThat(faults { echo<HoldsMaybe>() }.single())
      .contains("`parameters.properties.maybe` is of the value class", "whose value may be null")
    assertThat(faults { echo<Word>() }.single())
      .isEqualTo("tool 'echo': `parameters` must be a data class or a sealed class, not acme.FaultsTest\$Word.")
  }

  class Extending {
    @ToolMethod fun String.book() = this
  }

  class Reified {
    @ToolMethod inline fun <reified T> book(day: String) = day is T
  }

  class Sequencing {
    @ToolMethod fun days() = sequenceOf("Monday")
  }

  class Generic {
    @ToolMethod fun <T> book(day: T) = day
  }

  object Static {
    @JvmStatic @ToolMethod fun book(day: String) = day
  }

  class Private {
    @ToolMethod private fun book(day: String) = day
  }

  @Test
  fun functionsThatAreNoToolsAreNamedWithTheRemedy() {
    assertThat(faultsOfTools(Extending()).single()).endsWith("make that a parameter.")
    assertThat(faultsOfTools(Reified()).single()).endsWith("has no type for: state the type.")
    assertThat(faultsOfTools(Sequencing()).single())
      .endsWith(
        "days returns a kotlin.sequences.Sequence<kotlin.String>, which is not written as JSON: return its `toList()`."
      )
    assertThat(faultsOfTools(Generic()).single()).endsWith("has the open type variable T.")
    assertThat(faultsOfTools(Static).single())
      .endsWith("must not be static: leave out @JvmStatic, and give the object or companion object.")
    assertThat(faultsOfTools(Private()).single()).endsWith("must be public.")
  }

  enum class Seat {
    @SerialName("window") WINDOW
  }

  data class Renamed(@SerialName("day_of") val day: String, val seat: Seat)

  sealed interface Either {
    @SerialName("that") data class This(val text: String) : Either
  }

  @Test
  fun namesOfKotlinsSerializationAreNotIgnored() {
    assertThat(faults { echo<Renamed>() })
      .containsExactly(
        "tool 'echo': `parameters.properties.day` has @SerialName, which typed tools do not follow: use @JsonProperty, of a class @JsonTypeName.",
        "tool 'echo': `parameters.properties.seat` has @SerialName, which typed tools do not follow: use @JsonProperty, of a class @JsonTypeName.",
      )
    assertThat(faults { echo<Either>() }.single()).endsWith("has @SerialName, which typed tools do not follow: use @JsonProperty, of a class @JsonTypeName.")
  }

  data class Timed(val length: Duration)

  @Test
  fun answersThatWouldMeanSomethingElseAreNotWritten() {
    assertThatThrownBy { json(Timed(Duration.ZERO)) }
      .isInstanceOf(JsonException::class.java)
      .cause()
      .hasMessageContaining("Timed.length is of the type kotlin.time.Duration")
      .hasMessageContaining("use java.time.Duration")
  }
}
