"""The token Transformer: reading some tokens is the same function as computing all of them."""

from dataclasses import replace

import pytest
import torch

from fuda.nets.token_transformer import TokenShape, TokenTransformer, unpack

TOKENS, PLACES, PROGRESS = 12, 5, 4
SHAPE = TokenShape(first=24, width=16, blocks=2, heads=4, hidden=20)


def network(**changes: bool | int) -> TokenTransformer:
    torch.manual_seed(1)
    attributes = torch.randint(0, 2, (TOKENS, 3))
    shape = replace(SHAPE, **changes)
    return TokenTransformer(attributes, torch.tensor([1.0, 2.0, 5.0, 10.0]), PLACES, shape)


def inputs(batch: int = 3):
    generator = torch.Generator().manual_seed(2)
    places = torch.randint(0, 2, (batch, TOKENS, PLACES), generator=generator).float()
    return places, torch.randn(batch, PROGRESS, generator=generator)


def slow(net: TokenTransformer, places, progress):
    """Every token through every block, with the shared rows repeated in each token's input."""
    batch = len(places)
    rows = torch.cat([
        places,
        net.attributes.expand(batch, -1, -1),
        (progress / net.scales)[:, None, :].expand(-1, TOKENS, -1),
    ], dim=2)  # fmt: skip
    weight = torch.cat([net.from_places.weight, net.from_attributes.weight, net.from_progress.weight], dim=1)
    rows = rows @ weight.T + net.from_progress.bias
    for suit in net.attributes[:, : net.suits].T.bool():
        rows[:, suit] += net.from_suits(places[:, suit].sum(dim=1))[:, None]
    tokens = net.narrow(torch.relu(rows))
    if net.contrast:
        tokens = torch.layer_norm(tokens.transpose(1, 2), [TOKENS]).transpose(1, 2)
    else:
        tokens = torch.relu(tokens)
    for block in (*net.blocks, net.last):
        weights = block.attention(tokens)
        value = block.key_value(tokens).chunk(2, dim=-1)[1].unflatten(-1, (SHAPE.heads, -1)).transpose(1, 2)
        seen = (weights @ value).transpose(1, 2).flatten(2)
        tokens = block.attention_norm(tokens + block.merge(seen))
        tokens = block.hidden_norm(tokens + block.contract(torch.relu(block.expand(tokens))))
    return net.value(tokens)


CHANGES = [{}, {"contrast": True}, {"contrast": True, "suits": 2}]


@pytest.mark.parametrize("changes", CHANGES)
def test_reading_some_tokens_equals_computing_all(changes):
    net = network(**changes)
    places, progress = inputs()
    read = torch.tensor([[0, 5], [11, 3], [7, 7]])
    whole = slow(net, places, progress)
    expected = whole.gather(1, read[:, :, None])
    assert torch.allclose(net(places, progress, read), expected, atol=1e-6)


@pytest.mark.parametrize("changes", CHANGES)
def test_one_product_for_a_gpu_is_the_same(changes):
    net = network(**changes)
    places, _ = inputs()
    expected = net._by_suit(places)
    assert torch.allclose(net._in_one(places), expected, atol=1e-6)
    compiled = torch.compile(net._in_one, fullgraph=True, dynamic=False, backend="aot_eager")
    with torch.autocast("cpu", torch.bfloat16):
        found = compiled(places.bfloat16())
    assert found.dtype == torch.bfloat16
    assert torch.allclose(found.float(), expected, rtol=0.02, atol=0.05)
    found.float().sum().backward()
    assert net.from_places.weight.grad.abs().sum() > 0


@pytest.mark.parametrize("changes", CHANGES)
def test_half_precision_goes_on_in_half_precision(changes):
    """Tokens of twice the bytes would be carried through all blocks."""
    net = network(**changes)
    with torch.autocast("cpu", torch.bfloat16):
        tokens = net.embed(*inputs())
        assert tokens.dtype == torch.bfloat16
        assert net.last(tokens, tokens).dtype == torch.bfloat16


@pytest.mark.parametrize("changes", CHANGES)
def test_tokens_are_a_set(changes):
    """There is no position: exchanging two tokens' rows and attributes exchanges their values."""
    net = network(**changes)
    net.attributes[3] = net.attributes[4]
    places, progress = inputs()
    swapped = places.clone()
    swapped[:, [3, 4]] = places[:, [4, 3]]
    read, other = torch.tensor([[3, 4, 9]] * 3), torch.tensor([[4, 3, 9]] * 3)
    assert torch.allclose(net(places, progress, read), net(swapped, progress, other), atol=1e-6)


def test_attention_sums_to_one():
    weights = network().attentions(*inputs())
    assert len(weights) == 2
    for block in weights:
        assert block.shape == (3, SHAPE.heads, TOKENS, TOKENS)
        assert torch.allclose(block.sum(-1), torch.ones(3, SHAPE.heads, TOKENS), atol=1e-6)


def test_unpack_spreads_the_bits_of_card_sets():
    places = torch.tensor([[0b101, 1 << 47], [0, (1 << 48) - 1]])
    bits = unpack(places, 50)
    assert bits.shape == (2, 50, 2)
    assert bits[0, :, 0].nonzero().flatten().tolist() == [0, 2]
    assert bits[0, :, 1].nonzero().flatten().tolist() == [47]
    assert bits[1, :48, 1].all()
    assert not bits[:, 48:].any()


def test_the_papers_network_has_its_size():
    net = TokenTransformer(torch.zeros(50, 27), torch.ones(160), 74, TokenShape())
    assert 1_300_000 < sum(weights.numel() for weights in net.parameters()) < 1_360_000


def test_dropout_is_for_training_alone():
    net = network()
    places, progress = inputs()
    read = torch.tensor([[0, 5]] * 3)
    before = net(places, progress, read)
    net.set_dropout(0.5)
    assert not torch.equal(net(places, progress, read), before)
    net.eval()
    assert torch.equal(net(places, progress, read), before)
