"""The Transformer over card tokens: one value for each token that is read.

B positions, T tokens, R place rows, P progress rows, N tokens read, W width, H heads.

Rows that are equal for all tokens (progress) or all positions (attributes) are projected once and
added, which is the same function as repeating them in every token's input. The last block is
computed for the tokens that are read alone: nothing else of it is ever used.
"""

import copy
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor, nn

from fuda.nets.exportable import Exportable

HALVES_IN_16_BYTES = 8  # numbers in half precision


@dataclass(frozen=True)
class TokenShape:
    """The sizes of a token Transformer; the defaults are those of the Koi-Koi paper."""

    first: int = 512  # width of the first position-wise layer
    width: int = 256
    blocks: int = 2
    heads: int = 4
    hidden: int = 512  # of the feed-forward layers
    outputs: int = 1  # values for each token
    contrast: bool = False  # tokens enter the blocks as what sets them apart from the position's others
    suits: int = 0  # so many attributes, the first, are suits: tokens are told where their suit's cards are


def unpack(places: Tensor, num_tokens: int) -> Tensor:
    """Card sets [B, R] int64 as rows of bits [B, T, R]; tokens beyond the cards get zeros."""
    cards = torch.arange(num_tokens, device=places.device).clamp(max=62)
    return (places[:, None, :] >> cards[None, :, None]).to(torch.uint8) & 1  # bytes: an eighth of the work


def _contrast(tokens: Tensor) -> Tensor:
    """Each of a position's features [B, T, W] with mean 0 and variance 1 over its tokens.

    The authors of the Koi-Koi paper normalize so. Without it fresh tokens differ so little from each
    other that attention is all but uniform, and learning begins with a long plateau.
    """
    numbers = tokens.float()  # differences of near numbers: not in half precision
    away = numbers - numbers.mean(dim=1, keepdim=True)
    return (away * torch.rsqrt((away * away).mean(dim=1, keepdim=True) + 1e-5)).to(tokens.dtype)


class Block(nn.Module):
    """Self-attention and feed-forward, each followed by its residual and LayerNorm (post-LN)."""

    def __init__(self, shape: TokenShape):
        super().__init__()
        self.heads = shape.heads
        self.dropout = 0.0  # in training only; not part of the shape, since it changes no weights
        self.query = nn.Linear(shape.width, shape.width)
        self.key_value = nn.Linear(shape.width, 2 * shape.width)
        self.merge = nn.Linear(shape.width, shape.width)
        self.attention_norm = nn.LayerNorm(shape.width)
        self.expand = nn.Linear(shape.width, shape.hidden)
        self.contract = nn.Linear(shape.hidden, shape.width)
        self.hidden_norm = nn.LayerNorm(shape.width)

    def forward(self, tokens: Tensor, readers: Tensor) -> Tensor:
        """What `readers` [B, N, W], some or all of `tokens` [B, T, W], become."""
        query = self._by_head(self.query(readers))
        key, value = (self._by_head(part) for part in self.key_value(tokens).chunk(2, dim=-1))
        seen = F.scaled_dot_product_attention(query, key, value)  # [B, H, N, W/H]
        merged = self.merge(seen.transpose(1, 2).flatten(2))
        readers = _normed(self.attention_norm, readers + self._drop(merged))
        return _normed(self.hidden_norm, readers + self._drop(self.contract(F.relu(self.expand(readers)))))

    def attention(self, tokens: Tensor) -> Tensor:
        """The attention weights of all tokens on all tokens, [B, H, T, T]."""
        query = self._by_head(self.query(tokens))
        key = self._by_head(self.key_value(tokens).chunk(2, dim=-1)[0])
        return torch.softmax(query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5, dim=-1)

    def _drop(self, rows: Tensor) -> Tensor:
        return F.dropout(rows, self.dropout, self.training) if self.dropout else rows

    def _by_head(self, rows: Tensor) -> Tensor:
        return rows.unflatten(-1, (self.heads, -1)).transpose(1, 2)


def _normed(norm: nn.LayerNorm, rows: Tensor) -> Tensor:
    """Normed, in the precision of the rows: autocast would go on in single precision, twice the bytes."""
    return norm(rows).to(rows.dtype)


class TokenTransformer(Exportable):
    """Values of the tokens that are read."""

    inputs: ClassVar = {"places": {0: "batch"}, "progress": {0: "batch"}, "read": {0: "batch", 1: "tokens"}}
    outputs: ClassVar = {"values": {0: "batch", 1: "tokens"}}
    attributes: Tensor
    scales: Tensor

    def __init__(self, attributes: Tensor, scales: Tensor, num_places: int, shape: TokenShape):
        super().__init__()
        self.register_buffer("attributes", attributes.float(), persistent=False)  # [T, A]
        self.register_buffer("scales", scales.float(), persistent=False)  # [P]
        self.from_places = nn.Linear(num_places, shape.first, bias=False)
        self.from_attributes = nn.Linear(attributes.shape[1], shape.first, bias=False)
        self.from_progress = nn.Linear(len(scales), shape.first)
        # Which cards match is the first thing to know, and attention is long in finding it.
        self.from_suits = nn.Linear(num_places, shape.first, bias=False) if shape.suits else None
        self.suits = shape.suits
        self.narrow = nn.Linear(shape.first, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.blocks - 1))
        self.last = Block(shape)
        self.value = nn.Linear(shape.width, shape.outputs)
        self.contrast = shape.contrast

    def forward(self, places: Tensor, progress: Tensor, read: Tensor) -> Tensor:
        """Values [B, N, outputs] of the tokens `read` [B, N], from bits [B, T, R] and numbers [B, P]."""
        return self.read(self.tokens(places, progress), read)

    def tokens(self, places: Tensor, progress: Tensor) -> Tensor:
        """The tokens before the last block, [B, T, W]."""
        tokens = self.embed(places, progress)
        for block in self.blocks:
            tokens = block(tokens, tokens)
        return tokens

    def read(self, tokens: Tensor, read: Tensor) -> Tensor:
        """Values [B, N, outputs] of the tokens `read` [B, N]."""
        index = read[:, :, None].expand(-1, -1, tokens.shape[-1])
        return self.value(self.last(tokens, tokens.gather(1, index)))

    def embed(self, places: Tensor, progress: Tensor) -> Tensor:
        """The tokens before the first block, [B, T, W]."""
        rows = self._in_one(places) if places.is_cuda else self._by_suit(places)
        rows = rows + self.from_attributes(self.attributes)
        rows = rows + self.from_progress(progress / self.scales)[:, None, :]
        tokens = self.narrow(F.relu(rows))
        return _contrast(tokens) if self.contrast else F.relu(tokens)

    def _by_suit(self, places: Tensor) -> Tensor:
        """What a token's bits and those of its suit add, [B, T, first]: with the fewest products."""
        rows = self.from_places(places)
        if self.from_suits is not None:
            suits = self.attributes[:, : self.suits]
            rows = rows + suits @ self.from_suits(suits.T @ places)
        return rows

    def _in_one(self, places: Tensor) -> Tensor:
        """The same by one product with rows of whole 16 bytes, which a GPU likes better."""
        spare = (0, -places.shape[-1] % HALVES_IN_16_BYTES)
        places, weights = F.pad(places, spare), F.pad(self.from_places.weight, spare)
        if self.from_suits is not None:
            suits = self.attributes[:, : self.suits]
            places = torch.cat([places, suits @ suits.T @ places], dim=-1)
            weights = torch.cat([weights, F.pad(self.from_suits.weight, spare)], dim=1)
        return F.linear(places, weights)

    def example(self, batch: int) -> tuple[Tensor, ...]:
        """Inputs to trace and to compare with, without touching global randomness."""
        rng = torch.Generator().manual_seed(1)
        num_tokens, num_places = len(self.attributes), self.from_places.in_features
        return (
            torch.randint(0, 2, (batch, num_tokens, num_places), generator=rng).float(),
            torch.randint(0, 3, (batch, len(self.scales)), generator=rng).float(),
            torch.randint(0, num_tokens, (batch, batch + 2), generator=rng),
        )

    def sizes(self) -> dict[str, Any]:
        """The `TokenShape` that the network was made with."""
        return {
            "first": self.narrow.in_features,
            "width": self.narrow.out_features,
            "blocks": len(self.blocks) + 1,
            "heads": self.last.heads,
            "hidden": self.last.expand.out_features,
            "outputs": self.value.out_features,
            "contrast": self.contrast,
            "suits": self.suits,
        }

    def take_over(self, weights: dict[str, Tensor]) -> None:
        """Take over another network's weights, and what it says; other outputs than its stay fresh.

        From one that is not told its suits: they have no say until they are learned.
        """
        taken = dict(weights)
        if self.from_suits is not None:
            taken.setdefault("from_suits.weight", torch.zeros_like(self.from_suits.weight))
        if taken["value.weight"].shape != self.value.weight.shape:
            taken |= {f"value.{name}": value for name, value in self.value.state_dict().items()}
        self.load_state_dict(taken)

    def only(self, first: int, count: int) -> "TokenTransformer":
        """A copy of the network with some of its outputs."""
        part = copy.deepcopy(self).requires_grad_(False).eval()
        part.value = nn.Linear(self.value.in_features, count, device=self.value.weight.device)
        for mine, whole in zip(part.value.parameters(), self.value.parameters(), strict=True):
            mine.requires_grad_(False).copy_(whole[first : first + count])
        return part

    def set_dropout(self, part: float) -> None:
        """In training, drop so much of what attention and feed-forward add to the tokens."""
        for block in (*self.blocks, self.last):
            block.dropout = part

    def attentions(self, places: Tensor, progress: Tensor) -> list[Tensor]:
        """The attention weights [B, H, T, T] of each block."""
        tokens = self.embed(places, progress)
        weights = []
        for block in (*self.blocks, self.last):
            weights.append(block.attention(tokens))
            if block is not self.last:
                tokens = block(tokens, tokens)
        return weights
