# The shop.
cmake_minimum_required(VERSION 3.20)
project(Shop LANGUAGES CXX)

include(cmake/warnings.cmake)
find_package(Boost REQUIRED)

option(SHOP_TESTS "Build the tests" ON)
set(SHOP_SOURCES
    src/main.cpp # the entry
    src/cart.cpp)

#[[ Adds a library
with our warnings. ]]
function(shop_library name)
  set(local_value 1)
  add_library(${name} ${ARGN})
  shop_warnings(${name})
endfunction()

macro(shop_test NAME)
  add_test(NAME ${NAME} COMMAND ${NAME})
endmacro()

add_library(cart STATIC ${SHOP_SOURCES})
add_library(shop::cart ALIAS cart)
target_link_libraries(cart PUBLIC Boost::system "money")
target_include_directories(cart PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include)

if(SHOP_TESTS)
  add_subdirectory(tests)
  ADD_EXECUTABLE(cart_test tests/cart_test.cpp)
  target_link_libraries(cart_test PRIVATE shop::cart)
  add_test(NAME cart_adds COMMAND cart_test)
endif()

shop_library(money src/money.cpp)
