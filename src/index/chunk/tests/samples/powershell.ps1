#requires -Version 7
# The cart of the shop.
using module Shop.Money

Import-Module ./Shop.psm1
. $PSScriptRoot/helpers.ps1

$MaxItems = 10

<#
.SYNOPSIS
Adds an item.
#>
function Add-CartItem {
    param([string]$Name, [int]$Count = 1)
    $item = [CartItem]::new($Name, $Count)
    Save-Cart $item | Out-Null
    $item.Check()
}

filter Get-Paid { $_ }

class CartItem : Item {
    [string] $Name

    CartItem([string]$Name) { $this.Name = $Name }

    [int] Total([Money]$price) { return $price.Times(2) }
}

enum State { Open; Paid }

Describe "Cart" {
    It "adds items" {
        Add-CartItem "book" | Should -Be 1
    }
}
