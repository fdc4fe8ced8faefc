# The network of the shop.
terraform {
  required_version = ">= 1.5"
}

# Where it runs.
variable "region" {
  type    = string
  default = "eu-west-1"
}

locals {
  name = "shop-${var.region}"
  tags = merge(var.tags, { Name = local.name })
}

provider "aws" {
  region = var.region
}

data "aws_ami" "base" {
  most_recent = true
  filter {
    name   = "name"
    values = ["base-*"]
  }
}

resource "aws_instance" "web" {
  count         = var.instances
  ami           = data.aws_ami.base.id
  subnet_id     = module.net.subnet_ids[count.index]
  user_data     = <<-EOF
    echo ${aws_s3_bucket.logs["main"].arn}
  EOF
  tags          = local.tags
  depends_on    = [aws_s3_bucket.logs]
}

module "net" {
  source = "../modules/network"
  cidr   = "10.0.0.0/16"
}

output "addresses" {
  value = [for one in aws_instance.web : one.private_ip]
}
