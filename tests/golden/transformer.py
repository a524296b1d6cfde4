"""Blocks and two small Transformers, outputs and every gradient: python tests/golden/transformer.py

Blocks: `nn.TransformerEncoderLayer` and `nn.TransformerDecoderLayer` that normalise after (post) and before
(pre) their parts, over sentences of 3 and 2 words, with targets of 2 and 4.

Models: `nn.Transformer` with embeddings scaled by √d, sinusoids, tied tables, the sum of a cross-entropy with
smoothed labels; the batch is padded and masked here, as it never is in the course. `post` has two blocks in the
encoder and one in the decoder, and ties the output to the target's words; `pre` has one and two, and one table
for everything.

Names are the course's, and every tensor is saved so that it loads in the course's shape: W (outputs, inputs),
tables (d, words). PyTorch's keys have a bias; it is not saved, and is not zero here: it changes nothing.
"""

import copy
import math

import torch
from torch import nn
from torch.nn import functional as F

import golden

torch.manual_seed(10)
torch.set_default_dtype(torch.float64)
D, HEADS, D_FF, WORDS, SMOOTHING = 4, 2, 5, 7, 0.1
SOURCES, TARGETS = (3, 2), (2, 4)


def draw(*shape, scale=0.6):
    """Multiples of 1/32: short in a file, and exact in single precision."""
    return torch.randn(*shape).mul(32 * scale).round().div(32)


def leaf(*shape):
    return draw(*shape, scale=1).requires_grad_()


def randomise(module):
    for name, parameter in module.named_parameters():
        parameter.data = draw(*parameter.shape)
        if "norm" in name and name.endswith("weight"):
            parameter.data += 1
    return module


# The course's names of PyTorch's parameters. `of` is the value, or the gradient.


def linear(name, weight, bias):
    return {f"{name}.weight": weight.T, f"{name}.bias": bias}


def attention(name, layer, of):
    (w_q, w_k, w_v), (b_q, b_k, b_v) = of(layer.in_proj_weight).chunk(3), of(layer.in_proj_bias).chunk(3)
    if of is gradient:
        assert b_k.abs().max() < 1e-12 < b_q.abs().max(), "a bias of the keys has an influence"
    return {
        **linear(f"{name}.w_q", w_q, b_q),
        f"{name}.w_k.weight": w_k.T,
        **linear(f"{name}.w_v", w_v, b_v),
        **linear(f"{name}.w_o", of(layer.out_proj.weight), of(layer.out_proj.bias)),
    }


def norm(name, layer, of):
    return {f"{name}.gain": of(layer.weight), f"{name}.bias": of(layer.bias)}


def block(layer, of):
    parts = attention("attention", layer.self_attn, of) | norm("attention_norm", layer.norm1, of)
    last = layer.norm2
    if isinstance(layer, nn.TransformerDecoderLayer):
        parts |= attention("cross", layer.multihead_attn, of) | norm("cross_norm", layer.norm2, of)
        last = layer.norm3
    inner, outer = layer.linear1, layer.linear2
    parts |= linear("feed_forward.inner", of(inner.weight), of(inner.bias))
    parts |= linear("feed_forward.outer", of(outer.weight), of(outer.bias))
    return parts | norm("feed_forward_norm", last, of)


def named(prefix, parts):
    return {f"{prefix}{name}": tensor for name, tensor in parts.items()}


def value(parameter):
    return parameter.detach()


def gradient(parameter):
    return parameter.grad


def causal(n):
    return nn.Transformer.generate_square_subsequent_mask(n)


SIZES = dict(d_model=D, nhead=HEADS, dim_feedforward=D_FF, dropout=0.0, batch_first=True)


def blocks(place):
    """Sentence by sentence, and the sentences' columns side by side."""
    sizes = dict(SIZES, norm_first=place == "pre")
    encoder = randomise(nn.TransformerEncoderLayer(**sizes))
    decoder = randomise(nn.TransformerDecoderLayer(**sizes))
    x, source, dx, dsource = leaf(sum(TARGETS), D), leaf(sum(SOURCES), D), draw(sum(TARGETS), D), draw(sum(SOURCES), D)
    encoded = torch.cat([encoder(s.unsqueeze(0))[0] for s in source.split(SOURCES)])
    decoded = torch.cat([
        decoder(t.unsqueeze(0), s.unsqueeze(0), tgt_mask=causal(len(t)))[0]
        for t, s in zip(x.split(TARGETS), source.split(SOURCES))
    ])
    tensors = dict(x=x, source=source, dencoded=dsource, ddecoded=dx, encoded=encoded, decoded=decoded)
    (encoded * dsource).sum().backward()
    tensors |= {"gradient.encoder.source": source.grad} | named("gradient.encoder.", block(encoder, gradient))
    source.grad = None
    (decoded * dx).sum().backward()
    tensors |= {"gradient.decoder.source": source.grad, "gradient.decoder.x": x.grad}
    tensors |= named("gradient.decoder.", block(decoder, gradient))
    tensors |= named("encoder.", block(encoder, value)) | named("decoder.", block(decoder, value))
    return named(f"{place}_blocks.", tensors)


def sinusoids(n):
    angles = torch.arange(n).unsqueeze(1) / 10000 ** (torch.arange(0, D, 2) / D)
    return torch.stack((angles.sin(), angles.cos()), 2).flatten(1)


def embed(table, words):
    return table[words] * math.sqrt(D) + sinusoids(words.shape[1])


def model(place, encoder_blocks, decoder_blocks, one_table):
    sizes, final = dict(SIZES, norm_first=place == "pre"), nn.LayerNorm(D) if place == "pre" else None
    encoder = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(**sizes), encoder_blocks, copy.deepcopy(final), enable_nested_tensor=False
    )
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**sizes), decoder_blocks, copy.deepcopy(final))
    transformer = nn.Transformer(D, HEADS, batch_first=True, custom_encoder=encoder, custom_decoder=decoder)
    randomise(transformer)
    target = leaf(WORDS, D)
    source = target if one_table else leaf(WORDS, D)

    sources, targets = [torch.randint(3, WORDS, (n,)) for n in SOURCES], [torch.randint(3, WORDS, (n,)) for n in TARGETS]
    for sentence in sources + targets:
        sentence[-1] = 2
    previous = [torch.cat((torch.tensor([1]), t[:-1])) for t in targets]
    padded, previous = (nn.utils.rnn.pad_sequence(s, batch_first=True) for s in (sources, previous))
    is_padding = [torch.arange(s.shape[1]) >= torch.tensor(n).unsqueeze(1) for s, n in ((padded, SOURCES), (previous, TARGETS))]
    states = transformer(
        embed(source, padded),
        embed(target, previous),
        tgt_mask=causal(previous.shape[1]).isinf(),
        src_key_padding_mask=is_padding[0],
        memory_key_padding_mask=is_padding[0],
        tgt_key_padding_mask=is_padding[1],
    )
    logits = states[~is_padding[1]] @ target.T
    loss = F.cross_entropy(logits, torch.cat(targets), label_smoothing=SMOOTHING, reduction="sum")
    loss.backward()

    def parts(of):
        tables = {"target.weight": of(target)} | ({} if one_table else {"source.weight": of(source)})
        for side, stack in (("encoder", encoder), ("decoder", decoder)):
            for i, layer in enumerate(stack.layers):
                tables |= named(f"{side}.{i}.", block(layer, of))
            if stack.norm is not None:
                tables |= norm(f"{side}_norm", stack.norm, of)
        return tables

    tensors = dict(sources=torch.cat(sources), targets=torch.cat(targets), logits=logits, loss=loss)
    return named(f"{place}.", tensors | parts(value) | named("gradient.", parts(gradient)))


def base():
    """How many parameters the paper's base model has, with one table of 37,000 words."""
    with torch.device("meta"):
        layers = nn.TransformerEncoderLayer(512, 8, 2048), nn.TransformerDecoderLayer(512, 8, 2048)
    return 37_000 * 512 + 6 * sum(p.numel() for layer in layers for p in layer.parameters())


def short(tensor):
    return tensor if not tensor.dtype.is_floating_point else tensor.float()


tensors = blocks("post") | blocks("pre") | model("post", 2, 1, False) | model("pre", 1, 2, True)
golden.save(
    "transformer",
    source_lengths=torch.tensor(SOURCES),
    target_lengths=torch.tensor(TARGETS),
    **{name: short(tensor) for name, tensor in tensors.items()},
    base_parameters=torch.tensor(base()),
)
