"""A client of the API of frontdesk, the self-hosted voice receptionist.

    from frontdesk import Frontdesk

    fd = Frontdesk()
    print(fd.whoami()["tenant"]["slug"])

Things are plain dictionaries as the API sends them, typed in frontdesk.types;
what this version does not know stays in them. webhooks.verify checks what your
server is sent and needs no client.
"""

from . import types, webhooks
from ._client import Frontdesk
from ._page import Page
from ._response import Response, response_of
from ._transport import RequestOptions
from ._version import __version__
from .errors import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    AuthenticationError,
    ConflictError,
    FrontdeskError,
    IdempotencyError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    SignatureError,
)

__all__ = [
    "APIConnectionError",
    "APIError",
    "APITimeoutError",
    "AuthenticationError",
    "ConflictError",
    "Frontdesk",
    "FrontdeskError",
    "IdempotencyError",
    "InvalidRequestError",
    "NotFoundError",
    "Page",
    "PermissionDeniedError",
    "RateLimitError",
    "RequestOptions",
    "Response",
    "ServerError",
    "SignatureError",
    "__version__",
    "response_of",
    "types",
    "webhooks",
]
