"""Playing in the browser: websockets as the page opens them, a real server, and the processes between them."""
