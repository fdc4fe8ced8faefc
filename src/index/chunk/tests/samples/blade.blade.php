{{-- The cart of the shop. --}}
@extends('layouts.app')

@section('title', 'Cart')

@section('content')
  @include('shared.errors')
  @foreach ($cart->items() as $item)
    <li>{{ $item->price(2) }} {!! Html::link($item) !!}</li>
  @endforeach
  @if (is_admin($user))
    <p>mail@example.org</p>
  @endif
@endsection
