package dev.switchboard.provider;

class RecordedEmbeddingsTest implements EmbeddingsContract {
  @Override
  public ModelServer.Source source() {
    return conversation -> new RecordedServer(Places.exchanges().resolve(conversation));
  }
}
