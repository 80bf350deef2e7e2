"""QR codes, read back by the standard's steps in reverse."""

import pytest

from fuda.serve import qr

# From ISO/IEC 18004, Annex C: the format of level M for masks 0 to 7.
FORMATS = (0x5412, 0x5125, 0x5E7C, 0x5B4B, 0x45F9, 0x40CE, 0x4F97, 0x4AA0)
# Its Table 7: bytes that level M holds, by version.
CAPACITIES = (14, 26, 42, 62, 84, 106, 122, 152, 180, 213)
VERSION_7 = 0x07C94  # its Annex D
FINDER = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]


def test_the_tables_of_the_standard():
    assert tuple(qr.format_bits(mask) for mask in range(8)) == FORMATS
    assert tuple(qr.capacity(version) for version in range(1, 11)) == CAPACITIES


def syndromes(block: list[int], num_checks: int) -> list[int]:
    """All zero where a block is as it was made."""
    found, root = [], 1
    for _ in range(num_checks):
        value = 0
        for codeword in block:
            value = qr.multiply(value, root) ^ codeword
        found.append(value)
        root = qr.multiply(root, 2)
    return found


def is_for_data(version: int) -> list[list[bool]]:
    """Which modules have data, by the figures of the standard."""
    size = 17 + 4 * version
    free = [[True] * size for _ in range(size)]

    def take(top: int, left: int, height: int, width: int) -> None:
        for row in range(max(top, 0), min(top + height, size)):
            for column in range(max(left, 0), min(left + width, size)):
                free[row][column] = False

    take(0, 0, 9, 9)
    take(0, size - 8, 9, 8)
    take(size - 8, 0, 8, 9)
    take(6, 0, 1, size)
    take(0, 6, size, 1)
    centres = {1: (), 7: (6, 22, 38), 8: (6, 24, 42), 9: (6, 26, 46), 10: (6, 28, 50)}.get(
        version, (6, size - 7)
    )
    for row in centres:
        for column in centres:
            if (row, column) not in ((6, 6), (6, size - 7), (size - 7, 6)):
                take(row - 2, column - 2, 5, 5)
    if version >= 7:
        take(0, size - 11, 6, 3)
        take(size - 11, 0, 3, 6)
    return free


def read(modules: qr.Matrix) -> str:
    size = len(modules)
    version = (size - 17) // 4
    near = [(0, 8), (1, 8), (2, 8), (3, 8), (4, 8), (5, 8), (7, 8), (8, 8), (8, 7)]
    near += [(8, column) for column in (5, 4, 3, 2, 1, 0)]
    far = [(8, size - 1 - number) for number in range(8)] + [(size - 7 + number, 8) for number in range(7)]
    for places in (near, far):
        told = sum(modules[row][column] << bit for bit, (row, column) in enumerate(places))
        assert told in FORMATS
    assert modules[size - 8][8]
    mask = FORMATS.index(told)
    free = is_for_data(version)
    bits, row, step = [], size - 1, -1
    column = size - 1
    while column > 0:
        column -= column == 6
        while 0 <= row < size:
            for each in (column, column - 1):
                if free[row][each]:
                    bits.append(modules[row][each] ^ qr.MASKS[mask](row, each))
            row += step
        row, step, column = row - step, -step, column - 2
    codewords = [
        sum(bit << 7 - place for place, bit in enumerate(bits[start : start + 8]))
        for start in range(0, len(bits) - 7, 8)
    ]
    assert len(codewords) == qr.num_codewords(version)
    blocks, checks = qr.BLOCKS[version - 1], qr.EC_CODEWORDS[version - 1]
    num_data = len(codewords) - blocks * checks
    sizes = [num_data // blocks + (number >= blocks - num_data % blocks) for number in range(blocks)]
    data: list[list[int]] = [[] for _ in range(blocks)]
    stream = iter(codewords)
    for place in range(max(sizes)):
        for number in range(blocks):
            if place < sizes[number]:
                data[number].append(next(stream))
    rest = list(stream)
    for number in range(blocks):
        assert not any(syndromes(data[number] + rest[number::blocks], checks))
    text = "".join(f"{codeword:08b}" for block in data for codeword in block)
    head = 4 + (8 if version < 10 else 16)
    assert text[:4] == "0100"
    length = int(text[4:head], 2)
    return bytes(int(text[head + 8 * n : head + 8 * n + 8], 2) for n in range(length)).decode()


@pytest.mark.parametrize("version", range(1, 11))
def test_a_code_is_read_as_it_was_written(version: int):
    text = ("http://192.168.178.23:8642/?token=abcDEF_-" * 6)[: CAPACITIES[version - 1]]
    modules = qr.encode(text)
    size = len(modules)
    assert size == 17 + 4 * version
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        drawn = ["".join(".#"[dark] for dark in line[left : left + 7]) for line in modules[top : top + 7]]
        assert drawn == FINDER
    if version == 7:
        told = sum(modules[size - 11 + bit % 3][bit // 3] << bit for bit in range(18))
        assert told == VERSION_7
    assert read(modules) == text


def test_what_is_too_long_and_what_is_short():
    with pytest.raises(ValueError, match="holds 213 bytes here, not 214"):
        qr.encode("x" * 214)
    assert read(qr.encode("札")) == "札"


def test_in_a_terminal_there_are_two_modules_in_a_letter():
    modules = qr.encode("fuda")
    lines = qr.as_text(modules).split("\n")
    assert len(lines) == (len(modules) + 2 * qr.QUIET + 1) // 2
    for row, line in enumerate(modules):
        for column, dark in enumerate(line):
            letter = lines[(row + qr.QUIET) // 2][column + qr.QUIET]
            lit = letter in ("█▀" if (row + qr.QUIET) % 2 == 0 else "█▄")
            assert lit != dark
