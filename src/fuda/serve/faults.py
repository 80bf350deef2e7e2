"""What goes wrong for those who ask: a code, and what is needed to say it in words."""

from typing import Any

STATUS = {
    "bad_json": 400, "bad_message": 400, "no_such_game": 400, "no_such_agent": 400, "bad_option": 400,
    "bad_seats": 400, "no_values": 400, "no_review": 400, "bad_record": 400,
    "wrong_secret": 401,
    "no_key": 401, "no_such_invitation": 404,
    "bad_host": 403, "bad_origin": 403,
    "no_such_table": 404, "no_such_record": 404, "no_such_puzzle": 404, "not_found": 404,
    "bad_method": 405,
    "not_over": 409, "not_your_turn": 409, "other_rules": 409, "damaged": 409, "seat_taken": 409, "over": 409,
    "too_large": 413,
    "not_json": 415,
    "too_often": 429, "too_many_tables": 429, "too_many_records": 429, "too_many_owners": 429,
    "busy": 503, "failed": 503,
}  # fmt: skip

CLOSE = {
    "bad_json": 4400, "bad_message": 4400, "version": 4400,
    "wrong_secret": 4401,
    "no_hello": 4408,
    "other_rules": 4409,
    "deleted": 4410,
    "damaged": 4411,
    "left": 4412,
    "too_often": 4429, "too_many_sockets": 4429,
    "failed": 4500,
    "slow": 4503,
}  # fmt: skip


class FaultError(Exception):
    """A request that cannot be answered as it was meant."""

    def __init__(self, code: str, **params: Any):
        super().__init__(code)
        self.code = code
        self.params = params

    def told(self) -> dict[str, Any]:
        """As it is sent."""
        return {"code": self.code, "params": self.params}
