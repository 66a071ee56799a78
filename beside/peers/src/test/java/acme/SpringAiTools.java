package acme;

import acme.Booking.Payment;
import java.time.LocalDate;
import java.util.Map;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;

/// Tools by the annotations of Spring AI.
public final class SpringAiTools {
  @Tool(description = "Lists the tables that are free on a day.")
  public String free(@ToolParam(description = "The day") LocalDate date) {
    return "T4 is free on " + date;
  }

  @Tool(description = "Pays.")
  public String pay(@ToolParam(description = "How") Payment payment) {
    return "Paid by " + payment;
  }

  @Tool(description = "Counts the guests.")
  public String count(@ToolParam(description = "By table") Map<String, Integer> guests) {
    return guests.values().stream().mapToInt(Integer::intValue).sum() + " guests";
  }

  @Tool(description = "Books a table.")
  public String book(@ToolParam(description = "What is booked") Booking booking) {
    return "Booked " + booking.table() + " in the " + booking.area();
  }
}
