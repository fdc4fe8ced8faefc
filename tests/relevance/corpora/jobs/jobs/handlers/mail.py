"""Sends mail."""

import smtplib
from email.message import EmailMessage


def send_mail(to: str, subject: str, body: str) -> None:
    """Sends one message through the local relay."""
    message = EmailMessage()
    message["To"] = to
    message["Subject"] = subject
    message.set_content(body)
    with smtplib.SMTP("localhost") as relay:
        relay.send_message(message)
