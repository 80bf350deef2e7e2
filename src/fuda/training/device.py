"""The same code on a GPU, where work is recorded once and replayed, and on a CPU, where it just runs."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import torch
from torch import Tensor

from fuda.core.provenance import commit, machine, sources, versions

F = TypeVar("F", bound=Callable[..., Any])

WARM_UPS = 3
MIN_ROWS = 32  # fewer are not worth a core
GPU_GAMES = 4096  # a recipe that plays so many at once is for a GPU; a CPU may take minutes for a step


def choose_device(name: str) -> torch.device:
    """The device of a name; `auto` is a GPU where there is one. There float32 may be multiplied as TF32."""
    there = torch.cuda.is_available()
    try:
        device = torch.device(("cuda" if there else "cpu") if name == "auto" else name)
    except RuntimeError:
        raise ValueError(f"--device is auto, cpu or cuda, not {name!r}") from None
    if device.type == "cuda":
        if not there:
            raise ValueError("this machine has no GPU that PyTorch can use; take --device cpu")
        torch.set_float32_matmul_precision("high")
    return device


def origin(at: str | None = None) -> dict[str, Any]:
    """Where figures of this run come from; `at` is the commit where there is no git to ask."""
    where = machine()
    if torch.cuda.is_available():
        where["gpu"] = torch.cuda.get_device_name()
    return {
        "commit": commit() or at,
        "sources": sources(),
        "versions": versions() | {"torch": torch.__version__},
        "machine": where,
    }


def compiled_on(device: torch.device, function: F) -> F:
    """The function compiled for a GPU, a version for each shape: what is recorded has one shape for good."""
    return cast("F", torch.compile(function, dynamic=False)) if device.type == "cuda" else function


class Replayed:
    """A function of tensors that stay where they are. On a GPU it is recorded as a CUDA graph.

    A step of training costs milliseconds of Python launches whatever its size; a replay costs none.
    """

    def __init__(self, function: Callable[..., tuple[Tensor, ...]], inputs: Sequence[Tensor]):
        self.inputs = inputs
        self._function = function
        self._graph: torch.cuda.CUDAGraph | None = None
        self._output: tuple[Tensor, ...]
        if inputs[0].is_cuda:
            self._record()

    def __call__(self) -> tuple[Tensor, ...]:
        """Run on what the inputs hold now."""
        if self._graph is None:
            return self._function(*self.inputs)
        self._graph.replay()
        return self._output

    def _record(self) -> None:
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(WARM_UPS):
                self._function(*self.inputs)
        torch.cuda.current_stream().wait_stream(stream)
        self._graph = torch.cuda.CUDAGraph()
        # In a stream of its own: graphs of one stream share cuBLAS's workspace, and must not run together.
        # What other threads do meanwhile, as NCCL's of several ranks, is no matter of this recording.
        with torch.cuda.graph(self._graph, stream=stream, capture_error_mode="thread_local"):
            self._output = self._function(*self.inputs)


def pinned(shape: Sequence[int], dtype: torch.dtype, device: torch.device) -> Tensor:
    """Memory of the CPU that the GPU can copy from by itself."""
    return torch.zeros(*shape, dtype=dtype, pin_memory=device.type == "cuda")


@contextmanager
def aside(stream: torch.cuda.Stream | None) -> Iterator[None]:
    """What is queued meanwhile goes to another stream of the GPU, after all that was queued before."""
    if stream is None:
        yield
        return
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        yield


class Mark:
    """A place in the GPU's queue that the CPU can wait for."""

    def __init__(self, device: torch.device):
        self._event = torch.cuda.Event() if device.type == "cuda" else None

    def set(self) -> None:
        """Put the mark behind all that is queued now."""
        if self._event is not None:
            self._event.record()

    def wait(self) -> None:
        """Wait until the GPU has come so far."""
        if self._event is not None:
            self._event.synchronize()
