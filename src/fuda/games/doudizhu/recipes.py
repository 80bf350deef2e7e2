"""Training recipes, plain data: the fields of the algorithm's recipe (`fuda.training`)."""

WIN = {
    "algorithm": "values",
    "line": "Dou Dizhu by self-play, for games won.",
    "reward": "win",
    "shape": {"width": 640, "blocks": 3, "move_width": 256, "move_blocks": 2},
    "opponents": ("rhcp", "rhcp-partner"),
}
AUCTION = {
    "algorithm": "values",
    "line": "What each bid is worth in points, by deals whose cards best-point plays.",
    "options": {"bidding": "on", "score": "adp"},
    "encoding": "auction",
    "fixed": dict.fromkeys(("landlord", "down", "up"), "best-point"),
    "shape": {"width": 256, "blocks": 2, "move_width": 96, "move_blocks": 1},
    "reward": "win-and-scores",
    "scale": 8.0,
    "batch": 4096,
    "epsilon": 0.2,  # of bids alone; others do not always bid as this network would
    "final_epsilon": 0.05,
    "opponents": ("rhcp", "rhcp-partner"),
}
# For a few games at a time: learned from more often, by weights of a shorter average.
FEW = {"groups": 1, "group_size": 256, "batch": 512, "shuffled": 4, "warmup_steps": 100, "average": 0.995}
# Combinatorial Q-Learning. The paper's program explores by its anchors at the epochs 0, 30, 100 and 320, and
# was trained for 130: where the run ends, between the last two, the chance is .27.
CQL_EPOCHS = 130
CQL_ANCHORS = ((0, 1.0), (30, 0.5), (100, 0.3), (320, 0.1))
CQL_PAPER = {
    "algorithm": "q_learning",
    "line": "Combinatorial Q-Learning as in its paper: a decomposition of the hand, then a group in it.",
    "exploration": tuple((epoch / CQL_EPOCHS, chance) for epoch, chance in CQL_ANCHORS),
    "opponents": ("random", "rhcp"),
}
CQL_SHAPE = {"features": 192, "rows": (192, 384), "heads": (192, 96), "playable": True}
CQL = CQL_PAPER | {
    "line": "A decomposition of the hand, then a group in it, both learned from how deals end.",
    "encoding": "wide_group_encoding",
    "shape": CQL_SHAPE,
    "group_size": 2048,
    "bootstrap": False,
    "gamma": 1.0,
    "times": 1.0,
    "exploration": ((0.0, 0.1), (0.7, 0.02), (1.0, 0.02)),
    "learning_rate": 5e-4,
    "final_learning_rate": 1e-5,
    "warmup_steps": 300,
    "clip": 1.0,
    "average": 0.999,
}
# For a few games at a time, by small networks.
FEW_SHAPE = {"channels": 8, "features": 32, "rows": (64, 96), "heads": (64,)}
FEW_GROUPS = {
    "shape": FEW_SHAPE,
    "group_size": 128,
    "batch": 256,
    "learning_rate": 1e-3,
}
# The comparison of the CQL paper's Section 5.2: a landlord alone, against two peasants who play RHCP. Where
# every move is an output the network has the same trunk, and reads the whole hand as a group.
AGAINST_RHCP = {"guest": "rhcp", "guest_seats": (1, 2)}
LANDLORD_CQL = (
    CQL_PAPER
    | AGAINST_RHCP
    | {
        "line": "A landlord against RHCP by Combinatorial Q-Learning.",
        "exploration": ((0.0, 1.0), (0.25, 0.1), (1.0, 0.05)),
    }
)
LANDLORD_DQN = LANDLORD_CQL | {
    "line": "A landlord against RHCP by deep Q-learning with an output for each move.",
    "encoding": "action_encoding",
}
LANDLORD_A2C = AGAINST_RHCP | {
    "algorithm": "actor_critic",
    "line": "A landlord against RHCP by an actor with a critic (A2C), an output for each move.",
}
# DeepRocket: the moves of the strongest player that decides at once, in the place of people's.
DEEPROCKET = {
    "algorithm": "imitation",
    "line": "Plays what best most likely would, by convolutions over ranks (DeepRocket).",
    "teacher": "best-raw",
    "encoding": "deeprocket_encoding",
    "shape": {"filters": 192},
    "further_shape": {"filters": 96, "layers": 5, "strided": 4},
    "shared": True,
    "opponents": ("rhcp", "rhcp-partner"),
}
FEW_DECOMPOSITIONS = {"decompositions": 30, "replay": 20_000, "times": 4.0, "target_steps": 20}
RECIPES = {
    "doudizhu": WIN,
    "doudizhu-wide": WIN | {
        "line": "The same with as large a network as ships.",
        "shape": {"width": 768, "blocks": 4, "move_width": 256, "move_blocks": 2},
    },
    "doudizhu-plain": WIN | {
        "line": "Plain Monte-Carlo learning, for comparisons: AdamW alone, nothing of the fewest moves.",
        "encoding": "plain_encoding",
        "shape": {"width": 512, "blocks": 3, "move_width": 256, "move_blocks": 2},
        "optimizer": "adamw",
    },
    "doudizhu-points": WIN | {
        "line": "Dou Dizhu by self-play, for points: every bomb doubles.",
        "options": {"score": "adp"},
        "reward": "win-and-points",
        "scale": 4.0,
    },
    "doudizhu-auction": AUCTION,
    "doudizhu-small": WIN | FEW | {
        "line": "A small network for two CPU cores and ten minutes.",
        "shape": {"width": 128, "blocks": 2, "move_width": 64, "move_blocks": 1},
        "games": 300_000,
    },
    "doudizhu-auction-small": AUCTION | FEW | {
        "line": "What each bid is worth in points, learned on two CPU cores.",
        "shape": {"width": 128, "blocks": 2, "move_width": 64, "move_blocks": 1},
        "games": 300_000,
    },
    "doudizhu-cql-paper": CQL_PAPER,
    "doudizhu-cql-cooperation": CQL_PAPER | {
        "line": "The same, where peasants are told what their partner does.",
        "encoding": "cooperation_encoding",
    },
    "doudizhu-cql": CQL,
    "doudizhu-cql-untold": CQL | {
        "line": "The same, where the choice of a decomposition is not told which groups can be played.",
        "shape": CQL_SHAPE | {"playable": False},
    },
    "doudizhu-cql-small": CQL | FEW_GROUPS | FEW_DECOMPOSITIONS | {
        "line": "A small network of decompositions for two CPU cores and ten minutes.",
        "shape": FEW_SHAPE | {"playable": True},
        "games": 100_000,
        "warmup_steps": 100,
        "average": 0.99,
    },
    "doudizhu-deeprocket": DEEPROCKET,
    "doudizhu-deeprocket-roles": DEEPROCKET | {
        "line": "The same with a network for each role, as in the paper, and of its default width.",
        "shape": {"filters": 256},
        "shared": False,
    },
    "doudizhu-deeprocket-small": DEEPROCKET | {
        "line": "A small DeepRocket for two CPU cores and ten minutes.",
        "shape": {"filters": 48},
        "further_shape": {"filters": 24, "layers": 5, "strided": 4},
        "group_size": 512,
        "times": 2.0,
        "batch": 128,
        "further_batch": 64,
        "games": 15_000,
        "warmup_steps": 100,
        "average": 0.995,
    },
    "doudizhu-landlord-cql": LANDLORD_CQL,
    "doudizhu-landlord-dqn": LANDLORD_DQN,
    "doudizhu-landlord-a2c": LANDLORD_A2C,
    "doudizhu-landlord-cql-small": LANDLORD_CQL | FEW_GROUPS | FEW_DECOMPOSITIONS | {"games": 20_000},
    "doudizhu-landlord-dqn-small": LANDLORD_DQN | FEW_GROUPS | FEW_DECOMPOSITIONS | {"games": 20_000},
    "doudizhu-landlord-a2c-small": LANDLORD_A2C | FEW_GROUPS | {"games": 20_000},
}  # fmt: skip
