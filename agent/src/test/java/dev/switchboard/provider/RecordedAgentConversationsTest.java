package dev.switchboard.provider;

class RecordedAgentConversationsTest implements AgentConversationsContract {
  @Override
  public ModelServer.Source source() {
    return conversation -> new RecordedServer(Places.exchanges().resolve(conversation));
  }
}
