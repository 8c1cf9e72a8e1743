"""Playing over ssh: real ssh clients, a real server, and the processes between them."""
