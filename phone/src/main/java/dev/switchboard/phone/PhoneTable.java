package dev.switchboard.phone;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.FileTable;
import dev.switchboard.handler.Tool;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.rule.ToolRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The table `phone` of agents' files, for [java.util.ServiceLoader]; [Phones] makes phones of it.
public final class PhoneTable implements FileTable<PhoneSettings> {
  /// The table.
  public PhoneTable() {}

  @Override
  public String word() {
    return "phone";
  }

  @Override
  public @Nullable PhoneSettings read(StatedValue table, Context file) {
    PhoneKeys keys = table.bind(PhoneKeys.class);
    PhoneSettings phone = keys == null ? null : new PhoneReader(file).settings(keys);
    StatedValue agent = file.file().member("agent");
    if (phone != null && (agent.has("reply") || agent.has("reply_file"))) {
      agent.warning(
          FaultClass.NOT_YET,
          "agent.reply does not hold for calls on the phone, where the agent speaks");
    }
    return phone;
  }

  @Override
  public void check(
      StatedValue table, PhoneSettings phone, List<Tool> tools, List<ToolRule> rules) {
    if (!phone.calls().number().isEmpty()) {
      TransferReader.warn(table, phone.calls().transfer());
    }
    if (phone.calls().consent() == ConsentMode.CALLER) {
      new ConfirmCheck(table, rules).check(tools);
    }
  }
}
