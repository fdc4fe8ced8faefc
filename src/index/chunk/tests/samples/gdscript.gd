## The player of the game.
class_name Player
extends CharacterBody2D

signal died(by: Enemy)

enum State { IDLE, RUN = 2 }

const SPEED = 300.0
const Bullet = preload("res://weapons/bullet.gd")

@export var health: int = 3
@onready var sprite: Sprite2D = $Sprite
var state := State.IDLE


## Moves it.
func _physics_process(delta: float) -> void:
	var direction = read_input()
	velocity = direction * SPEED
	sprite.play("run")
	get_parent().shake(delta)


static func spawn(at: Vector2) -> Player:
	return Player.new()


class Inventory extends Resource:
	var items = []

	func add(item: Item):
		items.append(item)
