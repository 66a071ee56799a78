package acme

import com.fasterxml.jackson.annotation.JsonProperty
import dev.switchboard.agent.Agent
import dev.switchboard.handler.Tool
import dev.switchboard.testing.ScriptedModel
import dev.switchboard.tool.Default
import dev.switchboard.tool.Doc
import dev.switchboard.tool.Range
import jakarta.validation.constraints.Min
import jakarta.validation.constraints.Size
import java.time.LocalDate
import java.util.Optional
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy
import tools.jackson.databind.annotation.JsonNaming

internal class DataClassesTest {
  enum class Place {
    INSIDE,
    TERRACE,
  }

  data class Guest(val name: String, val age: Int? = null)

  data class Slot(
    @Doc("Day") val day: LocalDate,
    val people: Int = 2,
    val name: String?,
    val language: String? = "en",
    val place: Place = Place.INSIDE,
    val guests: List<Guest> = emptyList(),
    val notes: List<String?> = listOf(),
    val prices: Map<String, Double> = mapOf(),
  )

  @Test
  fun membersAreRequiredUnlessTheyAreNullableOrHaveADefault() {
    assertThat(echo<Slot>().schema())
      .isEqualTo(
        """{"type":"object","properties":{"day":{"type":"string","format":"date","description":"Day"},""" +
          """"people":{"type":"integer"},"name":{"type":"string"},"language":{"type":"string"},""" +
          """"place":{"type":"string","enum":["INSIDE","TERRACE"]},"guests":{"type":"array","items":""" +
          """{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},""" +
          """"required":["name"],"additionalProperties":false}},""" +
          """"notes":{"type":"array","items":{"type":["string","null"]}},""" +
          """"prices":{"type":"object","additionalProperties":{"type":"number"}}},""" +
          """"required":["day"],"additionalProperties":false}"""
      )
  }

  @Test
  fun whatIsLeftOutHasItsDefaultOrIsNull() {
    assertThat(echo<Slot>().called("""{"day":"2026-03-14"}"""))
      .isEqualTo(
        "Slot(day=2026-03-14, people=2, name=null, language=en, place=INSIDE, guests=[], notes=[], prices={})"
      )
  }

  @Test
  fun nullIsNullWhereTheTypeAllowsItAndTheDefaultElsewhere() {
    assertThat(
        echo<Slot>()
          .called("""{"day":"2026-03-14","people":null,"name":null,"language":null,"notes":[null]}""")
      )
      .contains("people=2, name=null, language=null", "notes=[null]")
  }

  @Test
  fun faultsAreThoseOfARecord() {
    assertThat(
        echo<Slot>()
          .called("""{"people":"two","guests":[{"age":3},null],"prices":{"tea":null},"more":1}""")
      )
      .contains(
        "/day: expected string in format date (2026-03-14), found missing",
        "/people: expected integer, found string \"two\"",
        "/guests/0/name: expected string, found missing",
        "/guests/1: expected object, found null",
        "/prices/tea: expected number, found null",
        "/more: expected no such property",
      )
  }

  data class Strict(val day: String, val people: Int = 2, val language: String? = "en", val name: String?)

  @Test
  fun aStrictToolIsToldNullForADefault() {
    val tool = echo<Strict>(strict = true)
    assertThat(tool.schema())
      .contains(
        """"language":{"type":["string","null"]}""",
        """"required":["day","people","language","name"]""",
      )
    assertThat(tool.called("""{"day":"x","people":null,"language":null,"name":null}"""))
      .isEqualTo("Strict(day=x, people=2, language=en, name=null)")
  }

  @JvmRecord data class Noted(val day: String, val note: String?, val people: Int = 4)

  @Test
  fun recordsOfKotlinAreDataClasses() {
    assertThat(echo<Noted>().schema()).contains(""""required":["day"]""")
    assertThat(echo<Noted>().called("""{"day":"x"}""")).isEqualTo("Noted(day=x, note=null, people=4)")
    assertThat(read<Noted>("""{"day":"x"}""")).isEqualTo(Noted("x", null))
    assertThat(json(Noted("x", null))).isEqualTo("""{"day":"x","note":null,"people":4}""")
  }

  @JvmInline
  value class Email(val address: String) {
    init {
      require('@' in address) { "an address has an @" }
    }
  }

  @JvmInline value class Stars(val count: Int)

  data class Review(
    @Range(min = 1.0, max = 5.0) val stars: Stars,
    val from: Email?,
    val to: List<Email> = listOf(Email("us@bistro.example")),
    val before: Stars? = Stars(3),
    @Default("4") val next: Stars,
    val each: Map<String, Stars?> = mapOf(),
    val more: Array<Email> = arrayOf(),
  )

  @Test
  fun aValueClassIsItsValue() {
    val tool = echo<Review>()
    assertThat(tool.schema())
      .contains(
        """"stars":{"type":"integer","minimum":1,"maximum":5},"from":{"type":"string"}""",
        """"next":{"type":"integer","default":4}""",
        """"required":["stars"]""",
      )
    assertThat(tool.called("""{"stars":5}"""))
      .contains("stars=Stars(count=5), from=null, to=[Email(address=us@bistro.example)]")
      .contains("before=Stars(count=3), next=Stars(count=4)")
    assertThat(tool.called("""{"stars":6,"from":"ann","to":["a@b",null]}"""))
      .contains(
        "/stars: expected integer between 1 and 5, found number 6",
        "/from: expected string that its type accepts, found one that it refuses: an address has an @",
        "/to/1: expected string, found null",
      )
  }

  data class Bounded(
    @field:Size(max = 3) val code: String,
    @get:Min(2) val count: Int,
    val marks: List<@Size(max = 1) String> = listOf(),
  )

  @Test
  fun annotationsCountOnParametersFieldsGettersAndTypes() {
    assertThat(echo<Bounded>().schema())
      .contains(
        """"code":{"type":"string","maxLength":3}""",
        """"count":{"type":"integer","minimum":2}""",
        """"marks":{"type":"array","items":{"type":"string","maxLength":1}}""",
      )
  }

  sealed class Shape {
    val area = 0

    data class Circle(val radius: Double = 1.0) : Shape()

    sealed class Angular : Shape() {
      data class Square(val side: Double) : Angular()
    }

    data object Point : Shape()

    object Nothing : Shape()
  }

  data class Drawing(val shape: Shape, val others: List<Shape> = listOf(Shape.Point))

  @Test
  fun aSealedClassIsOneOfItsClassesAndObjects() {
    val tool = echo<Drawing>()
    assertThat(tool.called("""{"shape":{"side":2,"type":"square"}}"""))
      .isEqualTo("Drawing(shape=Square(side=2.0), others=[Point])")
    assertThat(tool.called("""{"shape":{"type":"circle"},"others":[{"type":"nothing"}]}"""))
      .startsWith("Drawing(shape=Circle(radius=1.0), others=[")
    assertThat(tool.called("""{"shape":{"type":"cube"}}"""))
      .contains("""/shape/type: expected one of ["square","circle","nothing","point"], found string "cube"""")
    assertThat(echo<Shape>().called("""{"type":"point"}""")).isEqualTo("Point")
    assertThat(json(Drawing(Shape.Angular.Square(2.0))))
      .isEqualTo("""{"shape":{"type":"square","side":2.0},"others":[{"type":"point"}]}""")
    assertThat(read<Drawing>("""{"shape":{"type":"point"}}""")).isEqualTo(Drawing(Shape.Point))
  }

  data class Page<T>(val items: List<T>, val next: T? = null)

  data class Pages(val numbers: Page<Int>, val words: Page<String?>, val pair: Pair<String, Int>)

  @Test
  fun typeParametersHaveTheNullabilityOfTheirUse() {
    val tool = echo<Pages>()
    val rest = """"words":{"items":[null,"a"]},"pair":{"first":"x","second":2}"""
    assertThat(tool.called("""{"numbers":{"items":[1],"next":2},$rest}"""))
      .isEqualTo("Pages(numbers=Page(items=[1], next=2), words=Page(items=[null, a], next=null), pair=(x, 2))")
    assertThat(tool.called("""{"numbers":{"items":[null]},$rest}"""))
      .contains("/numbers/items/0: expected integer, found null")
  }

  data class Node(val name: String, val next: Node? = null, val children: List<Node> = listOf())

  @JvmInline value class Tree(val branches: List<Tree>)

  data class Forest(val tree: Tree)

  @Test
  fun typesMayHoldThemselves() {
    assertThat(echo<Node>().called("""{"name":"a","next":{"name":"b"},"children":[{"name":"c"}]}"""))
      .contains("next=Node(name=b, next=null, children=[])")
    assertThat(echo<Forest>().called("""{"tree":[[],[[]]]}"""))
      .contains("[Tree(branches=[]), Tree(branches=[Tree(branches=[])])]")
  }

  data class Anything(val one: Any, val other: Any?, val several: List<Any>, val all: List<*> = listOf(1))

  @Test
  fun anyIsNeverNull() {
    assertThat(echo<Anything>().called("""{"one":[null],"several":[1],"all":[null]}"""))
      .isEqualTo("Anything(one=[null], other=null, several=[1], all=[null])")
    assertThat(echo<Anything>().called("""{"one":null,"several":[null]}"""))
      .contains(
        "/one: expected any value but null, found null",
        "/several/0: expected any value but null, found null",
      )
  }

  data class Kinds(
    val words: Array<String>,
    val numbers: IntArray = intArrayOf(1),
    val boxes: Array<Int> = arrayOf(1),
    val set: Set<Int> = setOf(),
    val maybe: Optional<String>,
    val `party size`: Long = 3,
    val isOpen: Boolean = false,
  )

  @Test
  fun arraysSetsOptionalsAndUnusualNamesAreAsInJava() {
    val tool = echo<Kinds>()
    assertThat(tool.schema()).contains(""""party size":{"type":"integer"},"isOpen":{"type":"boolean"}""")
    assertThat(tool.called("""{"words":["a"],"boxes":[2],"numbers":[3],"set":[4],"party size":5}"""))
      .isEqualTo(
        "Kinds(words=[a], numbers=[3], boxes=[2], set=[4], maybe=Optional.empty, party size=5, isOpen=false)"
      )
  }

  private data class Hidden(private val secret: Int = 3)

  internal data class Inner(val count: Int)

  @Test
  fun privateInternalAndLocalClassesAreTaken() {
    data class Local(val from: Int, val to: Int = from + 1)

    assertThat(echo<Hidden>().called("{}")).isEqualTo("Hidden(secret=3)")
    assertThat(echo<Inner>().called("""{"count":1}""")).isEqualTo("Inner(count=1)")
    assertThat(echo<Local>().called("""{"from":1}""")).isEqualTo("Local(from=1, to=2)")
  }

  data class Wide(
    val a: Int = 1, val b: Int = 2, val c: Int = 3, val d: Int = 4, val e: Int = 5, val f: Int = 6,
    val g: Int = 7, val h: Int = 8, val i: Int = 9, val j: Int = 10, val k: Int = 11, val l: Int = 12,
    val m: Int = 13, val n: Int = 14, val o: Int = 15, val p: Int = 16, val q: Int = 17, val r: Int = 18,
    val s: Int = 19, val t: Int = 20, val u: Int = 21, val v: Int = 22, val w: Int = 23, val x: Int = 24,
    val y: Int = 25, val z: Int = 26, val aa: Int = 27, val ab: Int = 28, val ac: Int = 29, val ad: Int = 30,
    val ae: Int = 31, val af: Int = 32, val ag: Int = 33, val ah: Int = 34,
  )

  @Test
  fun anyNumberOfMembersMayHaveDefaults() {
    assertThat(echo<Wide>().called("""{"a":0,"ag":0}"""))
      .startsWith("Wide(a=0, b=2,")
      .endsWith("af=32, ag=0, ah=34)")
  }

  data class Positive(val count: Int) {
    init {
      require(count > 0) { "count is positive" }
    }
  }

  @Test
  fun whatTheConstructorRefusesIsAFaultOfTheArguments() {
    assertThat(echo<Positive>().called("""{"count":0}"""))
      .contains("expected object that its type accepts, found one that it refuses: count is positive")
  }

  open class Base {
    val id = 7
  }

  @JsonNaming(SnakeCaseStrategy::class)
  data class Free(
    val tableName: String,
    val isOpen: Boolean,
    val aName: String?,
    @JsonProperty("mail") val email: Email,
    val others: List<Email>,
  ) : Base() {
    val computed
      get() = 4

    val kept = 5
  }

  @Test
  fun answersAreWrittenAsTheirSchemaSays() {
    val free = Free("T1", true, null, Email("a@b"), listOf(Email("c@d")))
    val text =
      """{"table_name":"T1","is_open":true,"a_name":null,"mail":"a@b","others":["c@d"]}"""
    assertThat(json(free)).isEqualTo(text)
    assertThat(read<Free>(text)).isEqualTo(free)
    val tool = Tool.typed("free", Guest::class.java).returns(Free::class.java).handler { _ -> free }
    assertThat(tool.definition().output()!!.text())
      .isEqualTo(
        """{"type":"object","properties":{"table_name":{"type":"string"},"is_open":{"type":"boolean"},""" +
          """"a_name":{"type":["string","null"]},"mail":{"type":"string"},""" +
          """"others":{"type":"array","items":{"type":"string"}}},""" +
          """"required":["table_name","is_open","mail","others"],"additionalProperties":false}"""
      )
    assertThat(tool.called("""{"name":"ann"}""")).isEqualTo(text)
  }

  @Test
  fun aReplyMayBeADataClass() {
    val model = ScriptedModel().says("""{"name":"ann"}""")
    val agent = Agent.builder("Waiter").model(model).build()
    agent.conversation("t1").use { talk ->
      assertThat(talk.ask("Who?", Guest::class.java)).isEqualTo(Guest("ann", null))
    }
  }

  @Test
  fun jsonIsReadWithDefaultsToo() {
    assertThat(read<Slot>("""{"day":"2026-03-14","guests":[{"name":"ann"}],"more":1}"""))
      .isEqualTo(Slot(LocalDate.of(2026, 3, 14), name = null, guests = listOf(Guest("ann"))))
    assertThat(read<Email>("\"a@b\"")).isEqualTo(Email("a@b"))
  }
}
