package acme;

import acme.Booking.Payment;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import java.time.LocalDate;
import java.util.Map;

/// Tools by the annotations of LangChain4j.
public final class LangChain4jTools {
  @Tool("Lists the tables that are free on a day.")
  public String free(@P("The day") LocalDate date) {
    return "T4 is free on " + date;
  }

  @Tool("Pays.")
  public String pay(@P("How") Payment payment) {
    return "Paid by " + payment;
  }

  @Tool("Counts the guests.")
  public String count(@P("By table") Map<String, Integer> guests) {
    return guests.values().stream().mapToInt(Integer::intValue).sum() + " guests";
  }

  @Tool("Books a table.")
  public String book(@P("What is booked") Booking booking) {
    return "Booked " + booking.table() + " in the " + booking.area();
  }
}
