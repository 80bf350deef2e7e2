"""The table in the browser: HTTP, WebSocket, and the games stored move by move."""
