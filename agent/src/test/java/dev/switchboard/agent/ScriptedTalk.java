package dev.switchboard.agent;

import dev.switchboard.handler.Tool;
import dev.switchboard.rule.StopReason;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// An agent with a scripted model and tools that tell when they ran, and one conversation with it.
abstract class ScriptedTalk {
  final ManualTime time = new ManualTime();
  final ScriptedModel model = new ScriptedModel(time);
  final List<String> ran = new CopyOnWriteArrayList<>();
  final List<Event> events = new ArrayList<>();

  Tool tool(String name) {
    return Tool.dynamic(name)
        .handler(arguments -> {
          ran.add(name);
          return name + " done";
        });
  }

  AgentBuilder agent(Tool... tools) {
    return Agent.builder("test").model(model).tools(tools).time(time);
  }

  Conversation talk(Tool... tools) {
    return agent(tools).build().conversation("c");
  }

  static StopReason reason(Turn turn) {
    return ((Turn.Stopped) turn).reason();
  }
}
