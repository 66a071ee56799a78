package dev.switchboard.provider;

class LiveAgentConversationsTest extends LiveServer implements AgentConversationsContract {}
