# The service of the shop.
{ config, lib, pkgs ? import ./pkgs.nix { }, ... }:

let
  inherit (lib) mkIf mkOption;
  cfg = config.services.shop;
  # Formats one setting.
  toSetting = name: value: "${name}=${toString value}";
in
{
  imports = [ ./base.nix ../modules/database ];

  options.services.shop = {
    enable = lib.mkEnableOption "the shop";
    port = mkOption {
      type = lib.types.port;
      default = 8080;
    };
  };

  config = mkIf cfg.enable {
    systemd.services.shop = {
      script = toSetting "port" cfg.port;
    };
    environment.systemPackages = [ (pkgs.callPackage ./package.nix { }) ];
  };
}
