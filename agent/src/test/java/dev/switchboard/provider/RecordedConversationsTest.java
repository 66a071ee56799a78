package dev.switchboard.provider;

class RecordedConversationsTest implements ConversationsContract {
  @Override
  public ModelServer.Source source() {
    return conversation -> new RecordedServer(Places.exchanges().resolve(conversation));
  }
}
