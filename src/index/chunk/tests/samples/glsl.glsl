#version 450
#include "lights.glsl"

// The number of lights.
#define MAX_LIGHTS 8
#define SQUARE(x) ((x) * (x))

layout(location = 0) in vec3 position;
uniform sampler2D albedo;

struct Light {
    vec3 direction;
    float power;
};

/* Shades one point. */
vec3 shade(Light light, vec3 normal) {
    return max(dot(normal, light.direction), 0.0) * SQUARE(light.power) * tint(normal);
}

void main() {
    Light sun = lights[0];
    gl_FragColor = vec4(shade(sun, position), 1.0);
}
