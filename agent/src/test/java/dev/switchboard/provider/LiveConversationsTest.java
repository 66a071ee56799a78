package dev.switchboard.provider;

class LiveConversationsTest extends LiveServer implements ConversationsContract {}
