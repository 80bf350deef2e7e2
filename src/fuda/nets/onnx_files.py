"""What an ONNX file holds, without the onnx package: which is not there where models are only played.

The file is a message of Protocol Buffers: fields, each a number with a kind, then a number or so many bytes.
"""

from collections.abc import Iterator

# Fields that lead to tensors, by the message that they are in: ModelProto, GraphProto, NodeProto,
# AttributeProto, SparseTensorProto, FunctionProto, TrainingInfoProto.
INSIDE = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "function": {7: "node", 11: "attribute"},
    "training": {1: "graph", 2: "graph"},
    "tensor": {},
}
EXTERNAL_DATA, DATA_LOCATION = 13, 14  # of a tensor
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
MAX_DEPTH = 64


def check_whole(content: bytes) -> None:
    """Refuse a network that names other files for its weights: onnxruntime would read whatever that is."""
    try:
        is_external = _has_external(memoryview(content), "model", 0)
    except (IndexError, ValueError):
        raise ValueError("it is no ONNX file") from None
    if is_external:
        raise ValueError("its weights are in another file")


def _has_external(message: memoryview, kind: str, depth: int) -> bool:
    for number, value in _fields(message):
        if kind == "tensor" and (number == EXTERNAL_DATA or (number == DATA_LOCATION and value != 0)):
            return True
        inside = INSIDE[kind].get(number)
        if inside is not None and isinstance(value, memoryview):
            if depth == MAX_DEPTH:
                raise ValueError("no network is that deep")
            if _has_external(value, inside, depth + 1):
                return True
    return False


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The fields of a message: numbers as such, the rest as bytes."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        number, wire = key >> 3, key & 7
        if wire == VARINT:
            value, place = _varint(message, place)
            yield number, value
            continue
        if wire == BYTES:
            size, place = _varint(message, place)
        elif wire in (FIXED32, FIXED64):
            size = 4 if wire == FIXED32 else 8
        else:
            raise ValueError("no such kind of a field")
        if place + size > len(message):
            raise ValueError("the message is cut off")
        yield number, message[place : place + size]
        place += size


def _varint(message: memoryview, place: int) -> tuple[int, int]:
    """A number of seven bits a byte, and the place behind it."""
    value = shift = 0
    while shift < 70:
        byte = message[place]
        value |= (byte & 0x7F) << shift
        place += 1
        shift += 7
        if byte < 0x80:
            return value, place
    raise ValueError("the number is too long")
