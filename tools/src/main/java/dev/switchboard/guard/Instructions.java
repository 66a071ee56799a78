package dev.switchboard.guard;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.switchboard.rule.Guardrail.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds text in data that addresses a model as if it were its instructions. A heuristic: phrases
/// in several languages, each tried only at its first letters.
final class Instructions {
  /// The maximum length of a phrase.
  private static final int MOST = 200;

  private static final String GAP = "[^.!?\\n]{0,40}";
  private static final String OF_THE_MODEL =
      "\\b(?:previous|prior|above|earlier|preceding|existing|former|original|all|any|your|you|the|every|system|safety)\\b"
          + GAP
          + "\\b(?:instructions?|prompts?|rules?|directions?|guidelines?|commands?|context|guardrails?|restrictions?|confirmations?|filters?|programming|(?:were|was|been)"
          + " (?:told|asked)|training)\\b";
  private static final String ROLE = "(?:system|assistant|developer|user|human|admin)";
  private static final String DOES =
      "(?:call|run|execute|send|forward|delete|transfer|reply|respond|say|e?mail|visit|open|click"
          + "|ignore|recommend|tell|write|output|print|enter|follow|approve|obey|reveal|comply)\\b";

  /// The prefix of a phrase that contains a noun.
  private static final String MARK = "noun:";

  private static final Map<String, List<Phrase>> PHRASES = phrases();

  /// The first letters of words for a model's instructions, in the languages of [#phrase].
  private static final Set<String> NOUNS =
      Set.of(
          ("inst prom rule dire guid comm cont guar rest conf filt prog told aske trai anwe rege"
               + " vorg befe cons r\u00e8gl ordr indi \u00f3rde regl isti rego ordi orde regr orie"
               + " opdr aanw pole zasa")
              .split(" ", -1));

  /// A phrase.
  ///
  /// @param ofNouns whether it contains one of [#NOUNS]
  private record Phrase(Pattern pattern, boolean ofNouns) {}

  private Instructions() {}

  private static Map<String, List<Phrase>> phrases() {
    Map<String, List<Phrase>> all = new HashMap<>();
    english(all);
    toModels(all);
    marks(all);
    latin(all);
    others(all);
    return Map.copyOf(all);
  }

  /// @param beginnings the first letters of each form of the phrase: three, or two if the first one
  ///   is not alphabetic
  private static void add(Map<String, List<Phrase>> all, String beginnings, String phrase) {
    boolean ofNouns = phrase.startsWith(MARK);
    Phrase pattern =
        new Phrase(Pattern.compile(ofNouns ? phrase.substring(MARK.length()) : phrase), ofNouns);
    for (String beginning : beginnings.split(" ", -1)) {
      all.computeIfAbsent(beginning, key -> new ArrayList<>()).add(pattern);
    }
  }

  private static void english(Map<String, List<Phrase>> all) {
    add(
        all,
        "ign dis for ove byp ski neg sto set do_ don nev",
        MARK
            + "(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overr(?:ide|ule)|bypass|skip|neglect|discard|stop"
            + " (?:following|obeying)|set aside|(?:do not|don['\u2019]t|never) (?:follow|obey))\\b"
            + GAP
            + OF_THE_MODEL);
    add(
        all,
        "for",
        "forget (?:all|everything)\\b" + GAP + "\\b(?:told|said|above|before|know|learned)\\b");
    add(
        all,
        "you",
        "you are (?:now (?:an? )?(?:\\w+"
            + " )?(?:dan|ai|assistant|model|bot|unrestricted|uncensored|jailbroken|evil|hacker|root|free)|no"
            + " longer (?:bound|restricted|limited|an? (?:ai|assistant)))\\b|your"
            + " (?:new|real|actual|true|only)"
            + " (?:instructions?|task|goal|job|role|prompt|orders?)\\b ?(?:is|are|:)");
    add(
        all,
        "fro",
        "from now on,? (?:you(?:r| are| will| must)|answer|respond|reply|ignore|act)\\b");
    add(
        all,
        "new upd rev rea hid sec act tru",
        "(?:new|updated|revised|real|hidden|secret|actual|true) (?:system (?:instructions?|prompt)"
            + "|instructions|orders|directives) ?[:\\-]");
    add(
        all,
        "rev pri sho rep out lea dis tel giv",
        "(?:reveal|print|show|repeat|output|leak|display|disclose|tell me|give"
            + " me)\\b[^.!?\\n]{0,30}\\b(?:system prompt|your (?:initial |original |secret |hidden"
            + " |system )?(?:instructions|prompt)|initial prompt)\\b|repeat (?:everything|all|the"
            + " (?:text|words|lines)) (?:above|before)\\b");
    add(
        all,
        "do_ don nev wit hid",
        "(?:(?:do not|don['\u2019]t|never)"
            + " (?:tell|inform|mention|reveal|alert|notify|let)[^.!?\\n]{0,20}|without"
            + " (?:telling|informing|asking|notifying|alerting) |hide (?:this|it|that) from )\\bthe"
            + " user\\b");
    add(
        all,
        "sup ove rep tak",
        "(?:supersedes?|overrides?|replaces?|takes? (?:precedence|priority) over)\\b[^.!?\\n]{0,20}"
            + "\\b(?:earlier|previous|prior|all|any|your|other)\\b[^.!?\\n]{0,20}\\b(?:instructions?|prompts?|guidelines?)\\b");
    add(
        all,
        "act beh res pre spe rol",
        "(?:act|behave|respond|pretend|speak|roleplay)(?: to be| as| that)? (?:(?:if|though|that)?"
            + " ?you (?:are|were) (?:an? |the"
            + " )?(?:developer|admin|unrestricted|ai|system|owner|dan|hacker|free)|an?"
            + " (?:unrestricted|different|new|evil|uncensored|jailbroken) |dan\\b)");
  }

  private static void toModels(Map<String, List<Phrase>> all) {
    add(
        all,
        "ai_ ais llm ass mod age lan cha gpt cla",
        "(?:ai|llm|assistant|model|agent|language model|chatbot|gpt|claude)(?: assistant| model|"
            + " agent)?s?\\b(?: (?:reading|processing|summari[sz]ing) (?:this|the)(?: \\w+)?)?["
            + " ,:]{1,3}(?:you )?(?:must|should|please|shall|has to|have to)"
            + " (?:(?:now|immediately|always|also) )?"
            + DOES);
    add(
        all,
        "if_",
        "if you(?: are|'re) (?:an? )?(?:ai|llm|large language model|language"
            + " model|assistant|chatbot|bot)\\b");
    add(
        all,
        "not mes att ins war imp",
        "(?:notes?|messages?|attention|instructions?|warning|important)(?: (?:to|for))?["
            + " :,]{1,3}(?:the |any |all )?(?:ai|llm|assistant|language"
            + " model|chatbot|agent)s?\\b(?: (?:model|assistant|agent)s?)?[:, ]");
    add(
        all,
        "as_",
        "as an? (?:ai|llm|language model|assistant)[^.!?\\n]{0,20}\\byou (?:should|must|have"
            + " to|will)\\b");
    add(
        all,
        "ins",
        "instead of (?:answering|replying|responding|summari[sz]ing)\\b[^.!?\\n]{0,40}[,"
            + " ](?:call|send|say|tell|reply|write|output)\\b");
    add(
        all,
        "whe",
        "when (?:you )?(?:summari[sz](?:e|ing)|answer(?:ing)?|process(?:ing)?|read(?:ing)?)"
            + " (?:this|the) "
            + "(?:page|text|document|e-?mail|article|message|review)[^.!?\\n]{0,20}\\b(?:tell|say|include|recommend|mention|call|send|add)\\b");
    add(
        all,
        "i_a im_ i'm thi",
        "(?:i am|i'm|this is) your (?:developer|creator|administrator|admin|owner|operator)\\b");
    add(
        all,
        "ent ena act swi",
        "(?:enter|enable|activate|switch to) (?:dan|god|jailbreak) mode\\b");
    add(
        all,
        "sys ass dev",
        "(?:system|assistant|developer) ?: ?(?:you|the user|ignore|obey|skip)\\b");
    add(all, "ass", "assistant ?: (?:ignore|call|send)\\b");
  }

  private static void marks(Map<String, List<Phrase>> all) {
    add(
        all,
        "<|i <im </i <|e <en <|s <st <sy </s <<s <</",
        "<\\|?(?:im_start|im_end|endoftext|start_header_id)\\|?>|<\\|?/?system\\|?>|<</?sys>>");
    add(all, "[in [/i", "\\[/?inst\\]");
    add(
        all,
        "end",
        "end (?:of )?(?:the )?(?:tool |user |function"
            + " )?(?:output|document|data|context|input|results?|page|file)\\b"
            + "[\\s\\-=#*.>\\])]{1,20}"
            + ROLE
            + " ?:");
  }

  /// A phrase about a model's instructions in a language with the Latin alphabet: its verb, then in
  /// any order its noun and a determiner.
  private static String phrase(String verbs, String nouns, String which) {
    String gap = "[^.!?\\n]{0,30}";
    return MARK
        + "(?:%1$s)\\b%4$s(?:(?:%3$s)%4$s(?:%2$s)|(?:%2$s)%4$s(?:%3$s))"
            .formatted(verbs, nouns, which, gap);
  }

  private static void latin(Map<String, List<Phrase>> all) {
    add(
        all,
        "ign ver mis \u00fcbe",
        phrase(
            "ignorieren?|vergiss|vergessen sie|missachten?|\u00fcbergehe",
            "anweisung|instruktion|regeln|vorgaben|befehl|prompt",
            "\\balle|vorherig|bisherig|obig|fr\u00fcher|\\bdeine"));
    add(all, "du_", "du bist (?:jetzt|ab sofort|nun) (?:ein|kein)");
    add(
        all,
        "ign oub",
        phrase(
            "ignore[zr]?|oublie[zr]?",
            "instructions|consignes|directives|r\u00e8gles|ordres",
            "\\btou(?:te)?s\\b|pr\u00e9c\u00e9dent|ant\u00e9rieur|ci-dessus"));
    add(
        all,
        "ign olv omi des",
        phrase(
            "ignor[ae]|olvid[ae]|omite|descarta",
            "instrucciones|indicaciones|\u00f3rdenes|reglas|directrices",
            "\\btod[ao]s\\b|anterior|previ[ao]s"));
    add(
        all,
        "ign dim tra",
        phrase(
            "ignora(?:te)?|dimentica(?:te)?|trascura",
            "istruzioni|indicazioni|regole|ordini",
            "\\btutt[ei]\\b|precedenti"));
    add(
        all,
        "ign esq des",
        phrase(
            "ignor[ae]|esque\u00e7a|esquece|desconsidere",
            "instru\u00e7\u00f5es|ordens|regras|orienta\u00e7\u00f5es",
            "\\btod[ao]s\\b|anterior|pr\u00e9vi[ao]s|acima"));
    add(
        all,
        "neg ver",
        phrase(
            "negeer|vergeet",
            "instructies|opdrachten|aanwijzingen|regels",
            "\\balle\\b|eerder|vorige|bovenstaand"));
    add(
        all,
        "zig ign zap pom",
        phrase(
            "z?ignoruj|zapomnij|pomi\u0144?",
            "instrukcj|polece|zasad",
            "poprzedni|wcze\u015bniejsz|wszystki|powy\u017csz"));
    add(
        all,
        "\u00f6nc yuk t\u00fcm",
        "(?:\u00f6nceki|yukar\u0131daki|t\u00fcm)[^.\\n]{0,30}(?:talimat|komut|kural)[^.\\n]{0,15}(?:yok"
            + " say|unut|g\u00f6rmezden|dikkate alma)");
  }

  private static void others(Map<String, List<Phrase>> all) {
    add(
        all,
        "\u0438\u0433\u043d \u043f\u0440\u043e \u0437\u0430\u0431 \u043e\u0442\u043c",
        "(?:\u0438\u0433\u043d\u043e\u0440\u0438\u0440|\u043f\u0440\u043e\u0438\u0433\u043d\u043e\u0440\u0438\u0440|\u0437\u0430\u0431\u0443\u0434\u044c|\u043e\u0442\u043c\u0435\u043d\u0438)[^.\\n]{0,30}(?:\u043f\u0440\u0435\u0434\u044b\u0434\u0443\u0449|\u043f\u0440\u0435\u0436\u043d|\u0432\u0441\u0435"
            + " |\u0432\u044b\u0448\u0435)"
            + "[^.\\n]{0,20}(?:\u0438\u043d\u0441\u0442\u0440\u0443\u043a\u0446|\u0443\u043a\u0430\u0437\u0430\u043d|\u043f\u0440\u0430\u0432\u0438\u043b|\u043a\u043e\u043c\u0430\u043d\u0434)");
    add(
        all,
        "\u5ffd\u7565 \u65e0\u89c6 \u7121\u8996 \u5fd8\u8bb0 \u5fd8\u6389",
        "(?:\u5ffd\u7565|\u65e0\u89c6|\u7121\u8996|\u5fd8\u8bb0|\u5fd8\u6389)[^\u3002\\n]{0,12}(?:\u6307\u4ee4|\u6307\u793a|\u63d0\u793a|\u89c4\u5219|\u547d\u4ee4)");
    add(
        all,
        "\u6307\u793a \u547d\u4ee4 \u6307\u4ee4 \u30eb\u30fc \u30d7\u30ed",
        "(?:\u6307\u793a|\u547d\u4ee4|\u6307\u4ee4|\u30eb\u30fc\u30eb|\u30d7\u30ed\u30f3\u30d7\u30c8)[^\u3002\\n]{0,10}(?:\u7121\u8996|\u5fd8\u308c)");
    add(
        all,
        "\uc9c0\uc2dc \uba85\ub839 \uc9c0\uce68 \uaddc\uce59 \ud504\ub86c",
        "(?:\uc9c0\uc2dc|\uba85\ub839|\uc9c0\uce68|\uaddc\uce59|\ud504\ub86c\ud504\ud2b8)[^.\\n]{0,8}(?:\ubb34\uc2dc|\uc78a)");
    add(
        all,
        "\u062a\u062c\u0627 \u0627\u0646\u0633",
        "(?:\u062a\u062c\u0627\u0647\u0644|\u0627\u0646\u0633\u064e?)[^.\\n]{0,20}(?:\u0627\u0644\u062a\u0639\u0644\u064a\u0645\u0627\u062a|\u0627\u0644\u0623\u0648\u0627\u0645\u0631|\u0627\u0644\u0642\u0648\u0627\u0639\u062f)");
  }

  static List<Span> in(Folded folded) {
    String text = folded.text();
    List<Span> found = new ArrayList<>();
    Nouns nouns = new Nouns(text);
    boolean inWord = false;
    int at = 0;
    while (at < text.length()) {
      char first = text.charAt(at);
      int end = inWord && first < 0x2e80 ? -1 : end(text, at, nouns);
      if (end > 0) {
        found.add(folded.span(at, end));
      }
      inWord = Character.isLetterOrDigit(end > 0 ? text.charAt(end - 1) : first);
      at = end > 0 ? end : at + 1;
    }
    return found;
  }

  /// The end of the phrase that begins there, -1 for none.
  private static int end(String text, int at, Nouns nouns) {
    char first = text.charAt(at);
    if (first == ' ') {
      return -1;
    }
    int size = first < 0x2e80 ? 3 : 2;
    if (at + size > text.length()) {
      return -1;
    }
    List<Phrase> patterns = PHRASES.get(text.substring(at, at + size).replace(' ', '_'));
    if (patterns == null) {
      return -1;
    }
    String rest = text.substring(at, Math.min(text.length(), at + MOST));
    for (Phrase phrase : patterns) {
      if (!phrase.ofNouns || nouns.next(at) < at + MOST) {
        Matcher matcher = phrase.pattern.matcher(rest);
        if (matcher.lookingAt()) {
          return at + matcher.end();
        }
      }
    }
    return -1;
  }

  /// The positions of nouns in a text; queried in ascending order.
  private static final class Nouns {
    private final String text;
    private int last = -1;

    Nouns(String text) {
      this.text = text;
    }

    /// The next position after that one, or the end of the text.
    int next(int from) {
      if (last <= from) {
        last = from + 1;
        while (last < text.length() && !isNoun(last)) {
          last++;
        }
      }
      return last;
    }

    private boolean isNoun(int at) {
      boolean begins = !Character.isLetterOrDigit(text.charAt(at - 1));
      return begins && at + 4 <= text.length() && NOUNS.contains(text.substring(at, at + 4));
    }
  }
}
