"""PyTorch modules: shapes in, no game names."""
