package dev.switchboard.provider;

class LiveEmbeddingsTest extends LiveServer implements EmbeddingsContract {}
