"""The handlers that jobs may name."""

from jobs.handlers.mail import send_mail
from jobs.handlers.report import build_report
from jobs.handlers.thumbnail import make_thumbnail

HANDLERS = {
    "mail": send_mail,
    "report": build_report,
    "thumbnail": make_thumbnail,
}
