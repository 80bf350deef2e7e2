"""QR codes (ISO/IEC 18004): bytes at error correction level M, in versions 1 to 10, up to 213 bytes.

`encode` gives rows of modules, True where dark, without the quiet zone. The order of the steps is the
standard's: data codewords, error correction, modules in their zigzag, the mask with the least penalty.
"""

from collections.abc import Iterator

Matrix = list[list[bool]]

# Of level M, by version from 1: error correction codewords of a block, and blocks.
EC_CODEWORDS = (10, 16, 26, 18, 24, 16, 18, 22, 22, 26)
BLOCKS = (1, 1, 1, 2, 2, 4, 4, 4, 5, 5)
BYTE_MODE = 0b0100
PADS = (0xEC, 0x11)
QUIET = 4  # modules around the code
FORMAT_MASK, FORMAT_GENERATOR = 0x5412, 0x537
VERSION_GENERATOR = 0x1F25
LEVEL_M = 0b00
PATTERN_A = (True, False, True, True, True, False, True, False, False, False, False)  # looks like a finder

MASKS = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, column: row % 2 == 0,
    lambda row, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: row * column % 2 + row * column % 3 == 0,
    lambda row, column: (row * column % 2 + row * column % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2 == 0,
)


def encode(text: str) -> Matrix:
    """The code of a text; a `ValueError` if it is too long."""
    content = text.encode()
    version = next((each for each in range(1, 11) if len(content) <= capacity(each)), None)
    if version is None:
        raise ValueError(f"a QR code holds {capacity(10)} bytes here, not {len(content)}")
    codewords = _with_correction(_data_codewords(content, version), version)
    modules, is_function = _function_patterns(version)
    bits = [codeword >> (7 - bit) & 1 for codeword in codewords for bit in range(8)]
    for (row, column), bit in zip(_zigzag(is_function), bits, strict=False):  # up to 7 modules stay light
        modules[row][column] = bool(bit)
    return min((_masked(modules, is_function, mask) for mask in range(8)), key=penalty)


def capacity(version: int) -> int:
    """The bytes that a version holds."""
    return num_data_codewords(version) - (2 if version < 10 else 3)  # mode and length, 12 or 20 bits


def num_codewords(version: int) -> int:
    """All codewords of a version: the modules that no pattern takes, by eight."""
    modules = (16 * version + 128) * version + 64
    if version >= 2:
        aligned = version // 7 + 2
        modules -= (25 * aligned - 10) * aligned - 55
    if version >= 7:
        modules -= 36
    return modules // 8


def num_data_codewords(version: int) -> int:
    """Those that are left for data."""
    return num_codewords(version) - EC_CODEWORDS[version - 1] * BLOCKS[version - 1]


def _data_codewords(content: bytes, version: int) -> list[int]:
    total = num_data_codewords(version)
    bits = f"{BYTE_MODE:04b}{len(content):0{8 if version < 10 else 16}b}" + "".join(
        f"{b:08b}" for b in content
    )
    bits += "0" * min(4, 8 * total - len(bits))
    bits += "0" * (-len(bits) % 8)
    found = [int(bits[place : place + 8], 2) for place in range(0, len(bits), 8)]
    return found + [PADS[number % 2] for number in range(total - len(found))]


# Error correction: Reed and Solomon over the field of 256 elements with x^8 + x^4 + x^3 + x^2 + 1.


def multiply(one: int, other: int) -> int:
    """The product of two elements of the field."""
    product = 0
    for bit in range(7, -1, -1):
        product = (product << 1) ^ ((product >> 7) * 0x11D)
        product ^= (other >> bit & 1) * one
    return product


def _generator(degree: int) -> list[int]:
    """The coefficients of (x - 1)(x - 2)(x - 4)... without the leading one."""
    found = [0] * (degree - 1) + [1]
    root = 1
    for _ in range(degree):
        for place in range(degree):
            found[place] = multiply(found[place], root)
            if place + 1 < degree:
                found[place] ^= found[place + 1]
        root = multiply(root, 2)
    return found


def _remainder(data: list[int], generator: list[int]) -> list[int]:
    found = [0] * len(generator)
    for codeword in data:
        factor = codeword ^ found.pop(0)
        found.append(0)
        found = [
            old ^ multiply(coefficient, factor) for old, coefficient in zip(found, generator, strict=True)
        ]
    return found


def _with_correction(data: list[int], version: int) -> list[int]:
    """The codewords of all blocks, interleaved; the last blocks have one more of data."""
    blocks, correction = BLOCKS[version - 1], EC_CODEWORDS[version - 1]
    short, longer = divmod(len(data), blocks)
    generator = _generator(correction)
    parts, place = [], 0
    for number in range(blocks):
        size = short + (number >= blocks - longer)
        parts.append(data[place : place + size])
        place += size
    checks = [_remainder(part, generator) for part in parts]
    return [
        *(part[number] for number in range(short + 1) for part in parts if number < len(part)),
        *(check[number] for number in range(correction) for check in checks),
    ]


# Modules.


def _function_patterns(version: int) -> tuple[Matrix, Matrix]:
    """The modules with all patterns but the format, and which modules are not for data."""
    size = 17 + 4 * version
    modules = [[False] * size for _ in range(size)]
    is_function = [[False] * size for _ in range(size)]

    def put(row: int, column: int, dark: bool) -> None:
        modules[row][column] = dark
        is_function[row][column] = True

    for place in range(size):
        put(6, place, place % 2 == 0)
        put(place, 6, place % 2 == 0)
    for row, column in ((3, 3), (3, size - 4), (size - 4, 3)):
        for down in range(-4, 5):
            for right in range(-4, 5):
                if 0 <= row + down < size and 0 <= column + right < size:
                    put(row + down, column + right, max(abs(down), abs(right)) not in (2, 4))
    places = _alignments(version)
    corners = {(places[0], places[0]), (places[0], places[-1]), (places[-1], places[0])} if places else set()
    for row in places:
        for column in places:
            if (row, column) not in corners:
                for down in range(-2, 3):
                    for right in range(-2, 3):
                        put(row + down, column + right, max(abs(down), abs(right)) != 1)
    for row, column, _ in _format_places(size):
        put(row, column, False)
    put(size - 8, 8, True)
    if version >= 7:
        remainder = version
        for _ in range(12):
            remainder = (remainder << 1) ^ ((remainder >> 11) * VERSION_GENERATOR)
        for bit in range(18):
            dark = bool((version << 12 | remainder) >> bit & 1)
            across, along = size - 11 + bit % 3, bit // 3
            put(across, along, dark)
            put(along, across, dark)
    return modules, is_function


def _alignments(version: int) -> list[int]:
    """The rows, and columns, of the centres of alignment patterns."""
    if version == 1:
        return []
    count = version // 7 + 2
    step = (version * 4 + count * 2 + 1) // (count * 2 - 2) * 2
    return [6, *sorted(17 + 4 * version - 7 - step * number for number in range(count - 1))]


def _format_places(size: int) -> Iterator[tuple[int, int, int]]:
    """Row, column and bit of both copies of the format."""
    for bit in range(6):
        yield bit, 8, bit
    yield 7, 8, 6
    yield 8, 8, 7
    yield 8, 7, 8
    for bit in range(9, 15):
        yield 8, 14 - bit, bit
    for bit in range(8):
        yield 8, size - 1 - bit, bit
    for bit in range(8, 15):
        yield size - 15 + bit, 8, bit


def format_bits(mask: int) -> int:
    """The 15 bits that tell level and mask."""
    data = LEVEL_M << 3 | mask
    remainder = data
    for _ in range(10):
        remainder = (remainder << 1) ^ ((remainder >> 9) * FORMAT_GENERATOR)
    return (data << 10 | remainder) ^ FORMAT_MASK


def _zigzag(is_function: Matrix) -> Iterator[tuple[int, int]]:
    """The modules for data in their order: two columns at a time from the right, up and down in turn."""
    size = len(is_function)
    upwards = True
    for right in (*range(size - 1, 6, -2), 5, 3, 1):
        for row in range(size - 1, -1, -1) if upwards else range(size):
            for column in (right, right - 1):
                if not is_function[row][column]:
                    yield row, column
        upwards = not upwards


def _masked(modules: Matrix, is_function: Matrix, mask: int) -> Matrix:
    flips = MASKS[mask]
    found = [
        [dark ^ (not is_function[row][column] and flips(row, column)) for column, dark in enumerate(line)]
        for row, line in enumerate(modules)
    ]
    bits = format_bits(mask)
    for row, column, bit in _format_places(len(found)):
        found[row][column] = bool(bits >> bit & 1)
    return found


def penalty(modules: Matrix) -> int:
    """How hard a code is to read."""
    size = len(modules)
    lines = [*modules, *(list(column) for column in zip(*modules, strict=True))]
    total = 0
    for line in lines:
        run = 1
        for place in range(1, size + 1):
            if place < size and line[place] == line[place - 1]:
                run += 1
                continue
            total += run - 2 if run >= 5 else 0
            run = 1
        for place in range(size - 10):
            part = tuple(line[place : place + 11])
            total += 40 * (part in (PATTERN_A, PATTERN_A[::-1]))
    for row in range(size - 1):
        for column in range(size - 1):
            square = modules[row][column : column + 2] + modules[row + 1][column : column + 2]
            total += 3 * (len(set(square)) == 1)
    dark = sum(map(sum, modules))
    return total + 10 * (abs(20 * dark - 10 * size * size) // (size * size))


def as_text(modules: Matrix) -> str:
    """The code in half blocks, for a terminal whose letters are light on a dark ground."""
    size = len(modules) + 2 * QUIET
    light = [[True] * size for _ in range(size + size % 2)]
    for row, line in enumerate(modules):
        for column, dark in enumerate(line):
            light[row + QUIET][column + QUIET] = not dark
    blocks = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    return "\n".join(
        "".join(blocks[pair] for pair in zip(light[row], light[row + 1], strict=True))
        for row in range(0, size, 2)
    )
