#!/usr/bin/perl
use strict;
use warnings;
use v5.20;

package Shop::Cart v1.2;

=head1 NAME

Shop::Cart - what somebody wants to buy

=head2 DESCRIPTION

Shown by C<perldoc>, and nobody's comment.

=cut

use parent -norequire, 'Shop::Base', qw(Shop::Shown);
use Carp qw(croak);
use List::Util 'sum';
use Shop::Price;
use constant LIMIT => 20;
use constant { MIN => 1, MAX_ITEMS => 99 };
use vars qw($DEBUG @LOG);

our @ISA = ('Shop::Old');
our $VERSION = '1.0';
our ($total, %prices);
my $lexical = 3;

has name => (is => 'ro', default => sub { 'cart' });
has [qw(owner
        items)] => (is => 'rw');
has '+color' => (is => 'ro');
extends 'Shop::Thing';
with 'Shop::Role';

# Makes a cart.
sub new {
    my ($class, %args) = @_;
    my $self = bless {%args}, $class;
    return $self->SUPER::new(%args);
}

=head2 add

Adds an item.

=cut

sub add($$) {
    my ($self, $item) = @_;
    $self->check($item);
    &_count($item);
    croak "too many: @{[ $self->count ]}" if $self->count > LIMIT;
    my $price = Shop::Price->new(item => $item);
    $price->round;
    Shop::Util::trim($item->{name});
    $Shop::Price::currency = 'EUR';
    push @LOG, $item;
    my @sorted = sort by_price @{$self->{items}};
    my $callback = \&check;
    my $text = <<"END";
Total $total of @{[ sum(@sorted) ]}
END
    return $self;
}

sub check { my $self = shift; require Shop::Late; Shop::Late::check(@_) }
sub forward;
sub by_price { $a->{price} <=> $b->{price} }
sub Shop::Price::shown { 1 }
sub _count ($item, $n = 1) { $n }

*plus = \&add;
*minus = sub { add(-1) };

around add => sub { my ($orig, $self) = @_; $self->$orig };

package Shop::Inner {
    sub inside { outside() }
}

package Shop::Other;

sub outside { LIMIT }

package main;

subtest 'adds an item' => sub {
    my $cart = Shop::Cart->new;
    ok($cart->add(1), 'added');
};

1;
__END__

=head1 METHODS

=head2 new

Makes a cart.
