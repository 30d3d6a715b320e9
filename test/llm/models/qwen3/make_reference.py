"""Makes the small models and their logits in reference/: make_reference.py FOLDER. Needs torch, transformers and safetensors.

Weights are random, in bf16; logits are those of transformers, computed in f32 on the CPU, with the cosines between them and what it
computes in bf16. Each model has several prompts."""
import json
import pathlib
import sys

import torch
from safetensors.torch import save_file
from transformers import Qwen3Config, Qwen3ForCausalLM

MODELS = {
    "tied": dict(hidden_size=64, intermediate_size=160, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                 head_dim=32, vocab_size=300, tie_word_embeddings=True, rope_theta=1e6),
    "all_heads": dict(hidden_size=96, intermediate_size=104, num_hidden_layers=2, num_attention_heads=3, num_key_value_heads=3,
                      head_dim=64, vocab_size=260, tie_word_embeddings=False, rope_theta=5e6),
    "odd_width": dict(hidden_size=80, intermediate_size=72, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=1,
                      head_dim=96, vocab_size=270, tie_word_embeddings=True, rope_theta=1e4),
    "groups_of_five": dict(hidden_size=72, intermediate_size=96, num_hidden_layers=2, num_attention_heads=5, num_key_value_heads=1,
                           head_dim=128, vocab_size=280, tie_word_embeddings=False, rope_theta=1e6),
}
PROMPTS = [1, 2, 17, 63, 64, 65, 150]  # tokens
POSITIONS = 8  # the logits of so many last positions are kept


def make(folder, name, settings, seed):
    torch.manual_seed(seed)
    config = Qwen3Config(max_position_embeddings=512, rms_norm_eps=1e-6, attention_bias=False, hidden_act="silu",
                         use_sliding_window=False, **settings)
    model = Qwen3ForCausalLM(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter.copy_(1 + 0.2 * torch.randn_like(parameter))
            else:
                parameter.copy_(torch.randn_like(parameter) / parameter.shape[1] ** 0.5)
        model.model.embed_tokens.weight.mul_(settings["hidden_size"] ** 0.5 * (0.3 if settings["tie_word_embeddings"] else 1))
        for parameter in model.parameters():
            parameter.copy_(parameter.to(torch.bfloat16).float())
    out = folder / name
    out.mkdir(parents=True, exist_ok=True)
    weights = {n: p.to(torch.bfloat16).contiguous() for n, p in model.state_dict().items()
               if not (settings["tie_word_embeddings"] and n == "lm_head.weight")}
    save_file(weights, out / "model.safetensors")
    fields = dict(architectures=["Qwen3ForCausalLM"], model_type="qwen3", max_position_embeddings=512, rms_norm_eps=1e-6,
                  attention_bias=False, hidden_act="silu", use_sliding_window=False, rope_scaling=None, torch_dtype="bfloat16",
                  **settings)
    (out / "config.json").write_text(json.dumps(fields, indent=1) + "\n", encoding="utf-8")
    expected = {}
    with torch.no_grad():
        for length in PROMPTS:
            tokens = torch.randint(0, settings["vocab_size"], (1, length))
            expected[f"tokens_{length}"] = tokens[0].to(torch.int32)
            expected[f"logits_{length}"] = model(tokens).logits[0, -POSITIONS:].float().contiguous()
        model = model.to(torch.bfloat16)  # how far computing in bf16 strays from that
        for length in PROMPTS:
            logits = model(expected[f"tokens_{length}"][None].long()).logits[0, -POSITIONS:].float()
            expected[f"cosines_{length}"] = torch.nn.functional.cosine_similarity(logits, expected[f"logits_{length}"], dim=-1)
    save_file(expected, out / "expected.safetensors")


def main():
    folder = pathlib.Path(sys.argv[1])
    for seed, (name, settings) in enumerate(MODELS.items()):
        make(folder, name, settings, seed)


if __name__ == "__main__":
    main()
